// One row is chosen by its number: all rows stand in one tile, and what each is divided by decides about the mark.
// expect: corrected 1 in 2 kernels
#include <cmath>

void divisor_of_each_row(int n, int m, const float *q, const float *table, const float *left, float *y) {
  for (int t = 0; t < n; t++) {
    float least = INFINITY;
    for (int i = 0; i < m; i++)
      if (t == 5) least = std::fmin(least, q[t * m + i]);
    float norm = 0;
    for (int i = 0; i < m; i++) norm += table[i] * (q[5 * m + i] * std::log(std::abs(least) + 1.0f));
    float sum = 0;
    for (int i = 0; i < m; i++) sum += t == 5 ? (q[t * m + i] - least) * left[i] : 0;
    y[t] = sum / norm;
  }
}
