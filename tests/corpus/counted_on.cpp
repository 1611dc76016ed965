// A transposed copy whose target is counted on, with a gap behind each row.
// expect: corrected 0

void counted_on(float *y, const float *x, int n, int m) {
  int k = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) y[k++] = x[j * n + i];
    k += 2;
  }
}
