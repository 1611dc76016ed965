// B = alpha A^T B in place, A unit lower triangular.
void trmm(int m, int n, double alpha, const double *a, double *b) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      for (int k = i + 1; k < m; k++) b[i * n + j] += a[k * m + i] * b[k * n + j];
      b[i * n + j] *= alpha;
    }
}
