// A triangle is solved row by row: what is declared leaves no anti dependence, but the flow says which rows wait.
// expect: left: nothing gained

#pragma polymend index monotone(row) lower(column, row)
void left_lower_rows(int n, const int *row, const int *column, const double *a, const double *b, double *__restrict x) {
  for (int i = 0; i < n; i++) {
    double t = b[i];
    for (int k = row[i]; k < row[i + 1]; k++) t -= a[k] * x[column[k]];
    x[i] = t;
  }
}
