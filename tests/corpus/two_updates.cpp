// Two matrix-vector products that add to their results, one of them transposed.
// expect: corrected 0

void two_updates(int n, double *x1, double *x2, const double *y1, const double *y2, const double A[120][120]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) x1[i] = x1[i] + A[i][j] * y1[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) x2[i] = x2[i] + A[j][i] * y2[j];
}
