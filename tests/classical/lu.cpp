// Both factors of a matrix, in place, without pivots.
void lu(int n, double *a) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++) a[i * n + j] -= a[i * n + k] * a[k * n + j];
      a[i * n + j] /= a[j * n + j];
    }
    for (int j = i; j < n; j++)
      for (int k = 0; k < i; k++) a[i * n + j] -= a[i * n + k] * a[k * n + j];
  }
}
