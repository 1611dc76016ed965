void f(int n, const float *x, float *y) {
  for (int k = 0; k < 1; k++)
    for (int i = 0; i < n; i++) {
      y[i] = 0;
      for (int j = 0; j < 1; j++)
        for (int t = 0; t < n; t++) y[i] += x[j + t];
    }
}
