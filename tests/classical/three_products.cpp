// G = (A B) (C D), both products stored.
void three_products(int n, const double *a, const double *b, const double *c, const double *d, double *e, double *f,
                    double *g) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      e[i * n + j] = 0;
      for (int k = 0; k < n; k++) e[i * n + j] += a[i * n + k] * b[k * n + j];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      f[i * n + j] = 0;
      for (int k = 0; k < n; k++) f[i * n + j] += c[i * n + k] * d[k * n + j];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      g[i * n + j] = 0;
      for (int k = 0; k < n; k++) g[i * n + j] += e[i * n + k] * f[k * n + j];
    }
}
