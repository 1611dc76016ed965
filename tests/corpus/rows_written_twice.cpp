// Ranges that begin before others end: where an element is written twice, the source's order decides.
// expect: left: where 'y' is written cannot be told: 'row[i]' is not affine in loop variables and sizes

void rows_written_twice(int n, const int *row, const float *__restrict x, float *__restrict y) {
  for (int i = 0; i < n; i++)
    for (int k = row[i]; k < row[i + 2]; k++) y[k] = x[i];
}
