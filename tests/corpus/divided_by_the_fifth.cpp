// The least element of one row, chosen by its number, is a factor of sums over every row: they share its elements at
// that row alone, so that all rows in one loop with it would wait for nothing.
// expect: corrected 0 in 2 kernels
#include <cmath>

void divided_by_the_fifth(int n, int m, const float *q, const float *table, float *y) {
  for (int t = 0; t < n; t++) {
    float least = INFINITY;
    for (int i = 0; i < m; i++)
      if (t == 5) least = std::fmin(least, q[t * m + i]);
    float norm = 0;
    for (int i = 0; i < m; i++) norm += table[i] * (q[t * m + i] * std::log(std::abs(least) + 1.0f));
    y[t] = norm;
  }
}
