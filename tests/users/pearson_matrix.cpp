// Correlations of all pairs of columns.
#include <cmath>

void pearson_matrix(const double *data, double *corr, int n, int p) {
  double *mean = new double[p];
  double *sd = new double[p];
  for (int j = 0; j < p; j++) {
    double s = 0;
    for (int i = 0; i < n; i++) s += data[i * p + j];
    mean[j] = s / n;
    double q = 0;
    for (int i = 0; i < n; i++) q += (data[i * p + j] - mean[j]) * (data[i * p + j] - mean[j]);
    sd[j] = sqrt(q);
  }
  for (int a = 0; a < p; a++)
    for (int b = 0; b <= a; b++) {
      double s = 0;
      for (int i = 0; i < n; i++) s += (data[i * p + a] - mean[a]) * (data[i * p + b] - mean[b]);
      corr[a * p + b] = corr[b * p + a] = s / (sd[a] * sd[b]);
    }
  delete[] mean;
  delete[] sd;
}
