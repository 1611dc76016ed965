// An upper triangular system, solved from the last row upwards.
// expect: moved

void back_substitution(int n, const double u[80][80], const double *b, double *x) {
  for (int i = n - 1; i >= 0; i--) {
    double s = b[i];
    for (int j = n - 1; j > i; j--) s -= u[i][j] * x[j];
    x[i] = s / (u[i][i] + 4.0);
  }
}
