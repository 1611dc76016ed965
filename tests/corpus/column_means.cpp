// Each element of a covariance reads the means of two columns: that of its row and that of its column.
// expect: corrected 0

void column_means(int n, int m, const float *x, float *mean, float *c) {
  for (int j = 0; j < m; j++) {
    mean[j] = 0;
    for (int i = 0; i < n; i++) mean[j] += x[i * m + j];
    mean[j] /= n;
  }
  for (int a = 0; a < m; a++)
    for (int b = a; b < m; b++) {
      float s = 0;
      for (int i = 0; i < n; i++) s += (x[i * m + a] - mean[a]) * (x[i * m + b] - mean[b]);
      c[a * m + b] = s / (n - 1);
    }
}
