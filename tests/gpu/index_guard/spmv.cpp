void spmv(int n, const int *row, const int *column, const float *__restrict a, const float *__restrict x,
          float *__restrict y) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int k = row[i]; k < row[i + 1]; k++) sum += a[k] * x[column[k]];
    y[i] = sum;
  }
}
