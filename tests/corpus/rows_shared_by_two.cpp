// Two loops over the same range of each row, the second about what the first finds.
// expect: corrected 1 in 1 kernel

void rows_shared_by_two(int n, const int *row, const float *__restrict x, float *__restrict y, float *__restrict z) {
  for (int i = 0; i < n; i++) {
    float t = 0;
    for (int k = row[i]; k < row[i + 1]; k++) t += x[k];
    y[i] = t;
  }
  for (int j = 0; j < n; j++) {
    float t = 0;
    for (int k = row[j]; k < row[j + 1]; k++) t += x[k] * y[j];
    z[j] = t;
  }
}
