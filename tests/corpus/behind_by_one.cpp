// The maximum runs from 0, the sum from 1, and the weighted sum backwards.
// expect: corrected 2
#include <cmath>

void behind_by_one(int rows, int n, const float *x, const float *v, float *y) {
  for (int i = 0; i < rows; i++) {
    float m = -INFINITY, s = 0, a = 0;
    for (int j = 0; j < n; j++) m = std::fmax(m, x[i * n + j]);
    for (int j = 1; j <= n; j++) s += std::exp(x[i * n + j - 1] - m);
    for (int j = n; j-- > 0;) a += std::exp(x[i * n + j] - m) * v[j];
    y[i] = a / s;
  }
}
