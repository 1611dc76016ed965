// C = alpha A B + beta C, of A only the lower triangle is stored.
void symm(int m, int n, double alpha, double beta, const double *a, const double *b, double *c) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double t = 0;
      for (int k = 0; k < i; k++) {
        c[k * n + j] += alpha * b[i * n + j] * a[i * m + k];
        t += b[k * n + j] * a[i * m + k];
      }
      c[i * n + j] = beta * c[i * n + j] + alpha * b[i * n + j] * a[i * m + i] + alpha * t;
    }
}
