// A changed by two outer products, then two products of it with vectors.
void gemver(int n, double alpha, double beta, double *a, const double *u1, const double *v1, const double *u2,
            const double *v2, double *w, double *x, const double *y, const double *z) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[i * n + j] += u1[i] * v1[j] + u2[i] * v2[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) x[i] += beta * a[j * n + i] * y[j];
  for (int i = 0; i < n; i++) x[i] += z[i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) w[i] += alpha * a[i * n + j] * x[j];
}
