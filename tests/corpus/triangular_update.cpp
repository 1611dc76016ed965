// A symmetric update of the lower triangle.
// expect: corrected 0

void triangular_update(int n, int m, double alpha, double beta, double C[90][90], const double A[90][90]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) C[i][j] *= beta;
    for (int k = 0; k < m; k++)
      for (int j = 0; j <= i; j++) C[i][j] += alpha * A[i][k] * A[j][k];
  }
}
