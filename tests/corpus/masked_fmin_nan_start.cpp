// A least element above zero, from a start that may be NaN: where nothing is chosen the start is the result.
// expect: corrected 0
#include <cmath>
void masked_fmin_nan_start(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float r = x[i * m + 0];
    for (int j = 0; j < m; j++)
      if (x[i * m + j] > 0) r = std::fmin(r, x[i * m + j]);
    y[i] = r;
  }
}
