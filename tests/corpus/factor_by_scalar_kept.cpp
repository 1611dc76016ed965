// The element that would hold the scalar is read before the scalar is stored there.
// expect: left: nothing gained

void factor_by_scalar_kept(int n, double A[100][100]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      double w = 0.5 * A[i][j];
      for (int k = 0; k < j; k++) w -= A[i][k] * A[j][k];
      A[i][j] = w / (A[i][j] * A[i][j] + 1.0);
    }
}
