// Rows of v from the number of columns on are left out by the mask: v may end before them. In the source's order too,
// where weights that all columns share are computed for each row.
// expect: corrected 1
#include <cmath>

void rows_that_no_column_needs(int n, int m, const float *v, const float *a, float *y) {
  for (int e = 0; e < m; e++) {
    float top = -INFINITY;
    for (int k = 0; k < n; k++) top = std::fmax(top, e < k + 1 ? v[e * n + k] : -INFINITY);
    for (int r = 0; r < m; r++) {
      float sum = 0;
      for (int k = 0; k < n; k++) sum += e < k + 1 ? std::exp(v[e * n + k] - top) * a[k * m + r] : 0.0f;
      y[e * m + r] = sum;
    }
  }
}
