// Products sampled at the elements of a sparse matrix: each row writes its own range, if the ends of ranges rise.
// expect: corrected 0 in 1 kernel

void rows_written(int n, int d, const int *row, const int *column, const float *a, const float *b,
                  float *__restrict out) {
  for (int i = 0; i < n; i++)
    for (int k = row[i]; k < row[i + 1]; k++) {
      float sum = 0;
      for (int t = 0; t < d; t++) sum += a[i * d + t] * b[column[k] * d + t];
      out[k] = sum;
    }
}
