// Mean and variance of rows in one pass (Welford).
void welford_rows(const double *x, double *mean, double *var, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    double m = 0, s = 0;
    for (int c = 0; c < cols; ++c) {
      double delta = x[r * cols + c] - m;
      m += delta / (c + 1);
      s += delta * (x[r * cols + c] - m);
    }
    mean[r] = m;
    var[r] = s / (cols - 1);
  }
}
