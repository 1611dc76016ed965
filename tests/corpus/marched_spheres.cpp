// A ray that goes on until it is near is a turn that no equation holds: with its vectors it becomes a function.
// expect: corrected 0 in 1 kernel
#include <cmath>

struct Direction {
  float x, y, z;
};

static Direction operator*(const Direction &d, float t) { return {d.x * t, d.y * t, d.z * t}; }
static float from(const Direction &p, float cx, float cz) {
  return std::sqrt((p.x - cx) * (p.x - cx) + p.y * p.y + (p.z - cz) * (p.z - cz)) - 1.0f;
}

void marched_spheres(int w, int h, const float *centre, float *depth, unsigned char *hit) {
  for (int j = 0; j < h; j++)
    for (int i = 0; i < w; i++) {
      const Direction ray{(float(i) - 0.5f * w) / w, (float(j) - 0.5f * h) / h, 1.0f};
      const float cx = centre[0];
      float t = 0;
      bool near = false;
      for (int step = 0; step < 40; step++) {
        const float left = std::fmin(from(ray * t, cx, 4), from(ray * t, -cx, 6));
        if (!(left > 0.001f)) {
          near = true;
          break;
        }
        t += left;
        if (t > 20) break;
      }
      depth[j * w + i] = near ? t : -1;
      hit[j * w + i] = near;
    }
}
