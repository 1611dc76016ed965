// Softmax of each row into another array, whole-array loops, statistics in arrays of the caller.
// expect: corrected 1
#include <cmath>

void softmax_copy(int n, int m, const float *x, float *y, float *top, float *total) {
  for (int i = 0; i < n; i++) top[i] = -INFINITY;
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) top[i] = std::fmax(top[i], x[i * m + j]);
  for (int i = 0; i < n; i++) total[i] = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) total[i] += std::exp(x[i * m + j] - top[i]);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) y[i * m + j] = std::exp(x[i * m + j] - top[i]) / total[i];
}
