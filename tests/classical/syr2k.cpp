// The lower triangle of C = alpha (A B^T + B A^T) + beta C.
void syr2k(int n, int m, double alpha, double beta, const double *a, const double *b, double *c) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) c[i * n + j] *= beta;
    for (int k = 0; k < m; k++)
      for (int j = 0; j <= i; j++)
        c[i * n + j] += a[j * m + k] * alpha * b[i * m + k] + b[j * m + k] * alpha * a[i * m + k];
  }
}
