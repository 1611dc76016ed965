// Quotients by a sum that grows by orders of magnitude, less a term of their own: about an earlier sum they are so much
// larger that the mended difference has no digit left.
// expect: refused: may be far larger
#include <cmath>

void larger_about_an_earlier_sum(int n, int m, const double *z, const double *v, const double *a, double *y) {
  for (int p = 0; p < n; p++) {
    double sum = 0;
    for (int k = 0; k < m; k++) sum += z[p * m + k];
    double low = 0;
    for (int k = 0; k < m; k++) low += v[k] * z[p * m + k];
    for (int t = 0; t < n; t++) {
      double top = 0;
      for (int k = 0; k < m; k++)
        top += std::exp(z[p * m + k] - 1 / (sum + 1)) / low * a[k * n + t] - z[p * m + k] * 0.5;
      y[p * n + t] = top / low;
    }
  }
}
