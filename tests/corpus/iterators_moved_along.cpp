// Iterators of vectors that loops move: among numbers, and among structures.
// expect: corrected 0

#include <vector>

struct Particle {
  float x, y, mass;
};

struct Drawn {
  float at[2];
  float size;
};

void iterators_moved_along(const std::vector<Particle> &all, const std::vector<float> &weights, std::vector<Drawn> &out,
                           float scale, int taps) {
  auto dst = out.begin();
  for (const Particle &p : all) {
    float sum = 0;
    auto w = weights.begin();
    for (int k = -taps; k <= taps; ++k) sum += *w++ * (p.x + k);
    dst->at[0] = scale * p.x;
    dst->at[1] = scale * p.y;
    (*dst).size = sum * p.mass;
    ++dst;
  }
}
