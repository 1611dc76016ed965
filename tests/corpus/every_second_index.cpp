// A row adds the element whose index is half its own.
// expect: corrected 0 in 2 kernels

void every_second_index(int n, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    y[i] = x[i];
    for (int j = 0; j < n; j++)
      if (2 * j == i) y[i] += x[j];
  }
}
