// Rows from the second on: where there is one row only, nothing is read, not even what all rows share.
// expect: corrected 0 in 1 kernel
#include <cmath>

void no_rows_at_all(int k, int m, const float *x, const float *w, float *y) {
  for (int t = 1; t < k; t++) {
    float low = INFINITY, high = -INFINITY;
    for (int l = 0; l < m; l++) {
      float part = 0;
      for (int r = 0; r < m; r++) part += x[t * m + r] * w[l * m + r];
      low = std::fmin(low, part);
      high = std::fmax(high, part);
    }
    y[t] = high - low;
  }
}
