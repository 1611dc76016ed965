// x += A y and z += A^T w.
void mvt(int n, const double *a, double *x, double *z, const double *y, const double *w) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) x[i] += a[i * n + j] * y[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) z[i] += a[j * n + i] * w[j];
}
