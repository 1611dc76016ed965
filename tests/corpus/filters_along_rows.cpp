// Each row is filtered forwards, then backwards, each element from the one before it: rows are independent.
// expect: kept

void filters_along_rows(int rows, int columns, float keep, const float *x, float *y, double *z) {
  for (int i = 0; i < rows; i++) {
    float older = 0;
    y[i * columns] = x[i * columns];
    for (int j = 1; j < columns; j++) {
      y[i * columns + j] = keep * y[i * columns + j - 1] + (1 - keep) * x[i * columns + j] - 0.125f * older;
      older = x[i * columns + j];
    }
    for (int j = columns - 2; j >= 0; j--)
      z[i * columns + j] = 0.5 * z[i * columns + j + 1] + 0.25 * y[i * columns + j] + 0.125 * z[i * columns + j];
  }
}
