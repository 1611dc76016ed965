// The product of an n x p matrix and a p x m matrix, as in a textbook.
// expect: corrected 0 in 1 kernel
// a, b and c are stored flat, row by row.

void matmul(int n, int m, int p, const float *a, const float *b, float *c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      c[i * m + j] = 0.0f;
      for (int k = 0; k < p; k++) c[i * m + j] += a[i * p + k] * b[k * m + j];
    }
}
