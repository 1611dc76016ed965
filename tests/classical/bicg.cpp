// s = A^T r and q = A p in one walk through A.
void bicg(int n, int m, const double *a, double *s, double *q, const double *p, const double *r) {
  for (int j = 0; j < m; j++) s[j] = 0;
  for (int i = 0; i < n; i++) {
    q[i] = 0;
    for (int j = 0; j < m; j++) {
      s[j] += r[i] * a[i * m + j];
      q[i] += a[i * m + j] * p[j];
    }
  }
}
