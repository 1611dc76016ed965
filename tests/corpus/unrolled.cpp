// Four elements a turn, by hand.
// expect: corrected 1
#include <cmath>

void unrolled(int rows, int n, const float *x, float *y) {
  for (int i = 0; i < rows; i++) {
    float m = -INFINITY, s = 0;
    for (int j = 0; j < n; j++) {
      m = std::fmax(m, x[(i * n + j) * 4]);
      m = std::fmax(m, x[(i * n + j) * 4 + 1]);
      m = std::fmax(m, x[(i * n + j) * 4 + 2]);
      m = std::fmax(m, x[(i * n + j) * 4 + 3]);
    }
    for (int j = 0; j < n; j++) {
      s += std::exp(x[(i * n + j) * 4] - m);
      s += std::exp(x[(i * n + j) * 4 + 1] - m);
      s += std::exp(x[(i * n + j) * 4 + 2] - m);
      s += std::exp(x[(i * n + j) * 4 + 3] - m);
    }
    y[i] = m + std::log(s);
  }
}
