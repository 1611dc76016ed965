// What a column of the diagonal leads to is the row: each row is read where it is written.
// expect: corrected 0 in 1 kernel

#pragma polymend index diagonal(d, column)
void diagonal_declared(int n, const int *d, const int *column, const float *__restrict a, float *__restrict x) {
  for (int i = 0; i < n; i++) x[i] = x[column[d[i]]] / a[d[i]];
}
