// The sum of a row of unknown length, declared outside as in C: it is set anew for each row.
// expect: corrected 0 in 1 kernel

void rows_declared_above(int n, const int *row, const float *value, float *__restrict y) {
  float t;
  int i, k;
  for (i = 0; i < n; i++) {
    t = 0;
    for (k = row[i]; k < row[i + 1]; k++) t += value[k];
    y[i] = t;
  }
}
