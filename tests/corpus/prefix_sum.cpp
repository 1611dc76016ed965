// A running sum: each element needs the one before it.
// expect: left: nothing gained

void prefix_sum(int n, const double *x, double *y) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += x[i];
    y[i] = s;
  }
}
