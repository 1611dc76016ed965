// A matrix is changed in place; what it has become is added up by columns, then by rows.
// expect: moved

void updated_then_summed(int n, int m, double *a, const double *u, const double *v, double *columns, double *rows) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i * m + j] += u[i] * v[j];
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) columns[j] += a[i * m + j] * u[i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) rows[i] += a[i * m + j] * columns[j];
}
