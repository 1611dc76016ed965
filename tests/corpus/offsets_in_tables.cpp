// Neighbours by tables of offsets and weights: an entry at a constant place is a number, and a short loop is unrolled.
// expect: corrected 0
#include <array>
struct Lattice {
  static constexpr int across[5] = {0, 1, 0, -1, 0}, down[5] = {0, 0, 1, 0, -1};
  static constexpr float weight[5] = {0.5f, 0.125f, 0.125f, 0.125f, 0.125f};
};
constexpr std::array<std::array<int, 2>, 4> sides{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};
void offsets_in_tables(int w, int h, const float *x, float *y, float *lowest) {
  static const int corner_x[4] = {-1, 1, -1, 1}, corner_y[4] = {-1, -1, 1, 1};
  for (int i = 1; i < h - 1; ++i)
    for (int j = 1; j < w - 1; ++j) {
      float sum = 0;
      for (int k = 0; k < 5; ++k) sum += Lattice::weight[k] * x[(i + Lattice::down[k]) * w + j + Lattice::across[k]];
      for (int k = 3; k >= 0; --k) sum -= 0.01f * x[(i + corner_y[k]) * w + j + corner_x[k]];
      y[i * w + j] = sum;
      float least = x[i * w + j];
      for (auto [a, b] : sides)
        if (const float other = x[(i + b) * w + j + a]; other < least) least = other;
      lowest[i * w + j] = least;
    }
}
