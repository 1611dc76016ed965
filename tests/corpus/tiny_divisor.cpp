// Shares of a sum that may be tiny, times the elements: squares underflow where these do not.
// expect: corrected 1
#include <cmath>

void tiny_divisor(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float all = 0, part = 0;
    for (int j = 0; j < m; j++) all += std::fabs(x[i * m + j]);
    for (int j = 0; j < m; j++) part += x[i * m + j] / all * x[i * m + j];
    y[i] = part;
  }
}
