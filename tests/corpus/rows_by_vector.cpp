// A sparse matrix in rows times a vector: the range of the sum is read from an array.
// expect: corrected 0 in 1 kernel

void rows_by_vector(int n, const int *row, const int *column, const double *value, const double *x,
                    double *__restrict y) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = row[i]; k < row[i + 1]; k++) sum += value[k] * x[column[k]];
    y[i] = sum;
  }
}
