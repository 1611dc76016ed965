// A system of equations by its two factors.
void ludcmp(int n, double *a, const double *b, double *x, double *y) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      double w = a[i * n + j];
      for (int k = 0; k < j; k++) w -= a[i * n + k] * a[k * n + j];
      a[i * n + j] = w / a[j * n + j];
    }
    for (int j = i; j < n; j++) {
      double w = a[i * n + j];
      for (int k = 0; k < i; k++) w -= a[i * n + k] * a[k * n + j];
      a[i * n + j] = w;
    }
  }
  for (int i = 0; i < n; i++) {
    double w = b[i];
    for (int j = 0; j < i; j++) w -= a[i * n + j] * y[j];
    y[i] = w;
  }
  for (int i = n - 1; i >= 0; i--) {
    double w = y[i];
    for (int j = i + 1; j < n; j++) w -= a[i * n + j] * x[j];
    x[i] = w / a[i * n + i];
  }
}
