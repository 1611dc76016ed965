// Orthonormal columns of A, and what they were made with.
#include <cmath>
void gramschmidt(int m, int n, double *a, double *r, double *q) {
  for (int k = 0; k < n; k++) {
    double norm = 0;
    for (int i = 0; i < m; i++) norm += a[i * n + k] * a[i * n + k];
    r[k * n + k] = std::sqrt(norm);
    for (int i = 0; i < m; i++) q[i * n + k] = a[i * n + k] / r[k * n + k];
    for (int j = k + 1; j < n; j++) {
      r[k * n + j] = 0;
      for (int i = 0; i < m; i++) r[k * n + j] += q[i * n + k] * a[i * n + j];
      for (int i = 0; i < m; i++) a[i * n + j] -= q[i * n + k] * r[k * n + j];
    }
  }
}
