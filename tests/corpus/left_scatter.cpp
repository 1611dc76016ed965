// The place that is written is read from an array.
// expect: left: not affine

void left_scatter(int n, const int *at, const float *x, float *y) {
  for (int i = 0; i < n; i++) y[at[i]] += x[i];
}
