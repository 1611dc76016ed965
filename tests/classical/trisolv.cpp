// L x = b by substitution.
void trisolv(int n, const double *l, double *x, const double *b) {
  for (int i = 0; i < n; i++) {
    x[i] = b[i];
    for (int j = 0; j < i; j++) x[i] -= l[i * n + j] * x[j];
    x[i] /= l[i * n + i];
  }
}
