// Covariances of the columns of a table, which is centred in place.
void covariance(int n, int m, double *data, double *mean, double *c) {
  for (int j = 0; j < m; j++) {
    mean[j] = 0;
    for (int i = 0; i < n; i++) mean[j] += data[i * m + j];
    mean[j] /= n;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) data[i * m + j] -= mean[j];
  for (int i = 0; i < m; i++)
    for (int j = i; j < m; j++) {
      c[i * m + j] = 0;
      for (int k = 0; k < n; k++) c[i * m + j] += data[k * m + i] * data[k * m + j];
      c[i * m + j] /= n - 1;
      c[j * m + i] = c[i * m + j];
    }
}
