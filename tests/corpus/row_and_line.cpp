// Rows of a matrix, and its first elements as an array of one dimension, which need not end with the first row.
// expect: corrected 0 in 1 kernel
#include <cmath>

void row_and_line(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) y[i * m + j] = std::exp(x[i * m + j]) + x[i];
}
