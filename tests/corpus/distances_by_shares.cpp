// Squared distances, weighed by shares and divided by a norm: differences are not multiplied out. Where the two are
// near each other and far from zero, their squares and their product cancel.
// expect: corrected 3 in 1 kernel
#include <cmath>

void distances_by_shares(int n, int m, const float *x, const float *b, const float *c, float *mean, float *most) {
  for (int i = 0; i < n; i++) {
    float top = -INFINITY, norm = 0, shares = 0, sum = 0, largest = 0;
    for (int j = 0; j < m; j++) top = std::fmax(top, x[i * m + j]);
    for (int j = 0; j < m; j++) norm += std::fabs(x[i * m + j]);
    for (int j = 0; j < m; j++) shares += std::exp(x[i * m + j] - top);
    for (int j = 0; j < m; j++)
      sum += std::exp(x[i * m + j] - top) * (x[i * m + j] - b[j]) * (x[i * m + j] - b[j]) * (c[i] - b[j]);
    for (int j = 0; j < m; j++) largest = std::fmax(largest, (x[i * m + j] - b[j]) * (x[i * m + j] - b[j]) / norm);
    mean[i] = sum / shares;
    most[i] = largest;
  }
}
