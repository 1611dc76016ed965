// A running maximum goes on from a NaN that stands for what is masked: the order of the comparisons decides.
// expect: kept: by comparison with a NaN that the source writes
#include <cmath>

void masked_with_nan(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float r = -INFINITY;
    for (int j = 0; j < m; j++) {
      float v = j <= i ? x[i * m + j] : NAN;
      r = r > v ? r : v;
    }
    y[i] = r;
  }
}
