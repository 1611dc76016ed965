void NAME(int n, const float *x, float *y) {
  for (int i = 0; i < n; ++i) y[i] = x[i] * x[i];
}
