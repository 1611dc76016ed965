void carried(int n, float *a) {
  for (int i = 2; i < n; i++) a[i] = 0.5f * a[i - 2] + a[i];
}
