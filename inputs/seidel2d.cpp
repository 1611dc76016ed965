// Gauss-Seidel smoothing on a square grid in place: each point uses its already updated neighbours.
// expect: moved
// a is [1024][1024], of which the first n rows and columns are in use.

void seidel2d(int steps, int n, double a[1024][1024]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = (a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1] + a[i][j] + a[i][j + 1] +
                   a[i + 1][j - 1] + a[i + 1][j] + a[i + 1][j + 1]) /
                  9.0;
}
