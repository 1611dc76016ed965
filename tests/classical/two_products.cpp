// D = alpha A B C + beta D, the inner product stored.
void two_products(int n, double alpha, double beta, const double *a, const double *b, const double *c, double *t,
                  double *d) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      t[i * n + j] = 0;
      for (int k = 0; k < n; k++) t[i * n + j] += alpha * a[i * n + k] * b[k * n + j];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      d[i * n + j] *= beta;
      for (int k = 0; k < n; k++) d[i * n + j] += t[i * n + k] * c[k * n + j];
    }
}
