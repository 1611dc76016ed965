// All distances between the rows of two matrices, by a row lambda.
#include <cmath>

void pairwise_l2(const float *a, const float *b, float *d, int n, int m, int k) {
  auto rowA = [=](int i) { return a + i * k; };
  auto rowB = [=](int j) { return b + j * k; };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      const float *p = rowA(i), *q = rowB(j);
      float s = 0;
      for (int t = 0; t < k; ++t) s += (p[t] - q[t]) * (p[t] - q[t]);
      d[i * m + j] = std::sqrt(s);
    }
  }
}
