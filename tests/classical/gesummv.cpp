// y = alpha A x + beta B x.
void gesummv(int n, double alpha, double beta, const double *a, const double *b, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double s = 0, t = 0;
    for (int j = 0; j < n; j++) {
      s += a[i * n + j] * x[j];
      t += b[i * n + j] * x[j];
    }
    y[i] = alpha * s + beta * t;
  }
}
