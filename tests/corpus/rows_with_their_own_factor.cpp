// Each element of a row is multiplied by what belongs to the row: it cannot be computed without its row.
// expect: corrected 0 in 1 kernel

void rows_with_their_own_factor(int n, const int *row, const int *column, const float *value, const float *x,
                                float *__restrict y) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int k = row[i]; k < row[i + 1]; k++) sum += value[k] * x[column[k]] * x[i];
    y[i] = sum / static_cast<float>(row[i + 1] - row[i]);
  }
}
