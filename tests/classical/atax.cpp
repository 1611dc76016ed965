// y = A^T (A x).
void atax(int m, int n, const double *a, const double *x, double *y, double *t) {
  for (int j = 0; j < n; j++) y[j] = 0;
  for (int i = 0; i < m; i++) {
    t[i] = 0;
    for (int j = 0; j < n; j++) t[i] += a[i * n + j] * x[j];
    for (int j = 0; j < n; j++) y[j] += a[i * n + j] * t[i];
  }
}
