// Only the last row counts; where there is no row, nothing may be touched.
// expect: corrected 0 in 2 kernels

void last_row_only(int n, int m, const float *x, float *y) {
  for (int j = 0; j < m; j++) y[j] = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (i == n - 1) y[j] += x[i * m + j] * 2;
}
