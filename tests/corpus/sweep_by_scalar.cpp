// A sweep in place through a scalar that holds each new value until it is stored: it is its value.
// expect: moved

void sweep_by_scalar(int steps, int n, double A[100][100]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        const double around = A[i - 1][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j];
        A[i][j] = 0.2 * (A[i][j] + around);
      }
}
