// A range of ranges: how many there are, data say twice.
// expect: left: a range is read from arrays within a range that is read from arrays

void rows_of_rows(int n, const int *row, const int *sub, const float *__restrict x, float *__restrict y) {
  for (int i = 0; i < n; i++) {
    float t = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
      for (int m = sub[k]; m < sub[k + 1]; m++) t += x[m];
    y[i] = t;
  }
}
