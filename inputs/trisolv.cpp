// Forward substitution: solves l x = b for a lower triangular l.
// expect: moved
// l is [1024][1024], of which the first n rows and columns are in use.

void trisolv(int n, const double l[1024][1024], const double b[1024], double x[1024]) {
  for (int i = 0; i < n; i++) {
    x[i] = b[i];
    for (int j = 0; j < i; j++) x[i] = x[i] - l[i][j] * x[j];
    x[i] = x[i] / l[i][i];
  }
}
