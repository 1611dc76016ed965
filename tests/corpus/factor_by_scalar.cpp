// Both factors of a matrix in place, each element gathered in a scalar first: kept in the element itself, its loops are
// those of factor_lu.
// expect: moved

void factor_by_scalar(int n, double A[100][100]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      double w = A[i][j];
      for (int k = 0; k < j; k++) w -= A[i][k] * A[k][j];
      A[i][j] = w / A[j][j];
    }
    for (int j = i; j < n; j++) {
      double w = A[i][j];
      for (int k = 0; k < i; k++) w -= A[i][k] * A[k][j];
      A[i][j] = w;
    }
  }
}
