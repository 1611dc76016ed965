// The lower factor of a symmetric matrix, in place.
#include <cmath>
void cholesky(int n, double *a) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++) a[i * n + j] -= a[i * n + k] * a[j * n + k];
      a[i * n + j] /= a[j * n + j];
    }
    for (int k = 0; k < i; k++) a[i * n + i] -= a[i * n + k] * a[i * n + k];
    a[i * n + i] = std::sqrt(a[i * n + i]);
  }
}
