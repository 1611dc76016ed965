// Jacobi smoothing on a square grid: two grids that take turns, `steps` double steps.
// expect: moved
// a and b are [1024][1024], of which the first n rows and columns are in use.

void jacobi2d(int steps, int n, double a[1024][1024], double b[1024][1024]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) b[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j] + a[i - 1][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) a[i][j] = 0.2 * (b[i][j] + b[i][j - 1] + b[i][j + 1] + b[i + 1][j] + b[i - 1][j]);
  }
}
