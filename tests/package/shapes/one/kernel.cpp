void one(int n, const float *x, float *y) {
  for (int i = 0; i < n; ++i) y[i] = FACTOR * x[i] + TERM;
}
