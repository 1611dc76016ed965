// Columns are centred in place, then multiplied with one another: the product reads what has been stored.
// expect: corrected 0

void scatter_of_centred(int n, int m, double *x, double *scatter) {
  for (int j = 0; j < m; j++) {
    double mean = 0;
    for (int i = 0; i < n; i++) mean += x[i * m + j];
    mean /= n;
    for (int i = 0; i < n; i++) x[i * m + j] -= mean;
  }
  for (int j = 0; j < m; j++)
    for (int k = j; k < m; k++) {
      scatter[j * m + k] = 0;
      for (int i = 0; i < n; i++) scatter[j * m + k] += x[i * m + j] * x[i * m + k];
    }
}
