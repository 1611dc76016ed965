// The variance of n numbers and the largest of their squares, from their mean.
#include <cmath>

void spread(int n, const float *x, float *variance, float *farthest) {
  float mean = 0.0f;
  for (int i = 0; i < n; ++i) mean += x[i] / n;
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum += (x[i] - mean) * (x[i] - mean);
  *variance = sum / n;
  float most = 0.0f;
  for (int i = 0; i < n; ++i) most = std::fmax(most, std::fabs(x[i] - mean));
  *farthest = most;
}
