// Correlations of the columns of a table, which is centred and scaled in place.
#include <cmath>
void correlation(int n, int m, double *data, double *mean, double *deviation, double *c) {
  for (int j = 0; j < m; j++) {
    mean[j] = 0;
    for (int i = 0; i < n; i++) mean[j] += data[i * m + j];
    mean[j] /= n;
  }
  for (int j = 0; j < m; j++) {
    deviation[j] = 0;
    for (int i = 0; i < n; i++) deviation[j] += (data[i * m + j] - mean[j]) * (data[i * m + j] - mean[j]);
    deviation[j] = std::sqrt(deviation[j] / n);
    deviation[j] = deviation[j] <= 0.1 ? 1.0 : deviation[j];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) data[i * m + j] = (data[i * m + j] - mean[j]) / (std::sqrt(double(n)) * deviation[j]);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) {
      c[i * m + j] = 0;
      for (int k = 0; k < n; k++) c[i * m + j] += data[k * m + i] * data[k * m + j];
    }
}
