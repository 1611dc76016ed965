// Rows of so many places, some of which are empty: whether an element is read depends on data.
// expect: corrected 0 in 1 kernel

void padded_rows(int n, int width, const int *column, const double *value, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = 0; k < width; k++) {
      const int c = column[i * width + k];
      if (c >= 0) sum += value[i * width + k] * x[c];
    }
    y[i] = sum;
  }
}
