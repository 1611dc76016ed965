// The nearest sphere of a list is shaded, unless a function that returns within its loop finds one that hides it.
// expect: kept; left: a return before the end of the function is not supported
#include <vector>

struct Point {
  float x, y;
};

struct Disc {
  Point centre;
  float radius;
};

static float distance(const Disc &disc, Point p) {
  const float x = disc.centre.x - p.x, y = disc.centre.y - p.y;
  return x * x + y * y - disc.radius;
}

static bool hides(const std::vector<Disc> &discs, Point p) {
  for (const Disc &disc : discs)
    if (distance(disc, p) < -2.0f) return true;
  return false;
}

void hidden_by_any(const std::vector<Disc> &discs, const std::vector<Point> &points, std::vector<Point> &moved) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point p = points[i];
    int nearest = -1;
    float least = 1e30f;
    for (std::size_t k = 0; k < discs.size(); ++k)
      if (const float d = distance(discs[k], p); d < least) {
        least = d;
        nearest = static_cast<int>(k);
      }
    if (nearest < 0) {
      moved[i] = {0, 0};
      continue;
    }
    const Point c = discs[nearest].centre;
    const float shade = hides(discs, c) ? 0.5f : 1.0f;
    moved[i] = {shade * (c.x - p.x), shade * (c.y - p.y)};
  }
}
