// A sparse matrix in rows times a matrix: the range of the sum is read from an array.
// expect: corrected 0 in 1 kernel

void rows_by_matrix(int n, int m, const int *row, const int *column, const float *value, const float *__restrict x,
                    float *__restrict y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float sum = 0;
      for (int k = row[i]; k < row[i + 1]; k++) sum += value[k] * x[column[k] * m + j];
      y[i * m + j] = sum;
    }
}
