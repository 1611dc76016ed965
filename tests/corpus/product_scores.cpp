// The score is a product of two scalars; loops over keys are outside the loops over queries.
// expect: corrected 1
#include <cmath>

void product_scores(int n, int m, const float *a, const float *b, float *top, float *sum) {
  for (int i = 0; i < n; i++) {
    top[i] = -INFINITY;
    sum[i] = 0;
  }
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) top[i] = std::fmax(top[i], a[i] * b[j]);
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) sum[i] += std::exp(a[i] * b[j] - top[i]);
}
