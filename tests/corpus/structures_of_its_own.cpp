// Arrays of structures that a function makes for itself: with a length, with values, copied, assigned, exchanged.
// expect: kept: is updated in place
#include <array>
#include <cmath>
#include <utility>
#include <vector>

struct Block {
  float scale;
  signed char q[32];
};

void structures_of_its_own(std::vector<float> &y, const std::vector<Block> &w, const std::vector<float> &x, int rows,
                           int blocks) {
  std::vector<Block> packed(blocks);
  for (int b = 0; b < blocks; ++b) {
    float most = 0;
    for (int i = 0; i < 32; ++i) most = std::max(most, std::fabs(x[b * 32 + i]));
    packed[b].scale = most / 127;
    for (int i = 0; i < 32; ++i) packed[b].q[i] = static_cast<signed char>(x[b * 32 + i] / (most / 127 + 1e-9f));
  }
  for (int r = 0; r < rows; ++r) {
    float all = 0;
    for (int b = 0; b < blocks; ++b) {
      const Block &mine = w[r * blocks + b];
      int sum = 0;
      for (int i = 0; i < 32; ++i) sum += mine.q[i] * packed[b].q[i];
      all += mine.scale * packed[b].scale * sum;
    }
    y[r] = all;
  }
}

struct Cell {
  float red = 0, blue = 1;
};

void blur_cells(std::vector<float> &y, const std::vector<float> &x) {
  std::vector<Cell> cells(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    cells[i].red += x[i];
    cells[i].blue *= x[i];
  }
  auto next = cells;
  for (std::size_t i = 1; i + 1 < x.size(); ++i) next[i].red = cells[i - 1].red + cells[i + 1].blue;
  cells = next;
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = cells[i].red - cells[i].blue;
}

struct Vec {
  double x{}, y{};
  Vec operator-(const Vec &o) const { return {x - o.x, y - o.y}; }
};

void corners(double *y, const double *x, int n) {
  for (int i = 0; i < n; ++i) {
    Vec c[4] = {{1, 2}, {3, x[i]}, {x[i], x[i] * 2}};
    std::array<Vec, 3> d{};
    for (int k = 0; k < 3; ++k) d[k] = c[k + 1] - c[k];
    double s = 0;
    for (const auto &[a, b] : d) s += a * b;
    for (const Vec &v : c) s += v.x;
    y[i] = s;
  }
}

void exchange_pairs(Vec *p, int n) {
  for (int i = 0; i < n; ++i)
    if (p[2 * i].x > p[2 * i + 1].x) std::swap(p[2 * i], p[2 * i + 1]);
}
