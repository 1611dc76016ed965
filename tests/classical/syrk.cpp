// The lower triangle of C = alpha A A^T + beta C.
void syrk(int n, int m, double alpha, double beta, const double *a, double *c) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) c[i * n + j] *= beta;
    for (int k = 0; k < m; k++)
      for (int j = 0; j <= i; j++) c[i * n + j] += alpha * a[i * m + k] * a[j * m + k];
  }
}
