// C = alpha A B + beta C.
void gemm(int n, int m, int p, double alpha, double beta, const double *a, const double *b, double *c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      c[i * m + j] *= beta;
      for (int k = 0; k < p; k++) c[i * m + j] += alpha * a[i * p + k] * b[k * m + j];
    }
}
