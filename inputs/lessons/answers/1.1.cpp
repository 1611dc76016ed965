void carried(int n, const float *a, float *b) {
  for (int i = 1; i < n; i++) b[i] = 0.5f * a[i - 1] + a[i];
}
