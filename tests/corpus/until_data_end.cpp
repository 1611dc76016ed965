// Square roots by Newton's steps: data alone say how many.
// expect: corrected 0

void until_data_end(const double *a, double *x, int *steps, int n) {
  for (int i = 0; i < n; ++i) {
    const double square = a[i] * a[i] + 1;
    double v = square;
    int k = 0;
    while (v * v - square > 1e-9 * square) {
      v = 0.5 * (v + square / v);
      ++k;
    }
    x[i] = v;
    steps[i] = k;
  }
}
