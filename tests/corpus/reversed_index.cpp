// The sum visits the row backwards through its subscript.
// expect: corrected 1 in 1 kernel
#include <cmath>

void reversed_index(int rows, int n, const float *x, float *y) {
  for (int i = 0; i < rows; i++) {
    float m = -INFINITY, s = 0;
    for (int j = 0; j < n; j++) m = std::fmax(m, x[i * n + j]);
    for (int j = 0; j < n; j++) s += std::exp(x[i * n + n - 1 - j] - m);
    y[i] = m + std::log(s);
  }
}
