// Every second element from the end becomes the mean of itself and its right neighbour; an inner loop runs downwards.
// expect: kept

void every_other_down(int n, int m, float *x, double *y) {
  for (int i = n - 2; i >= 1; i -= 2) x[i] = 0.5f * (x[i] + x[i + 1]);
  for (int i = 0; i < n; ++i) {
    double s = 0;
    for (int k = m; k > 0; --k) {
      s = 0.5 * s + k;
      if (k < 3) y[i] = s;
    }
  }
}
