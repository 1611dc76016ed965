// The sum of each row of exponentials below the largest element of the next row.
// expect: corrected 0 in 2 kernels
#include <cmath>

void other_row(int n, int m, const float x[130][80], float *top, float *y) {
  for (int i = 0; i <= n; i++) {
    top[i] = -INFINITY;
    for (int j = 0; j < m; j++) top[i] = std::fmax(top[i], x[i][j]);
  }
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j < m; j++) y[i] += std::exp(x[i][j] - top[i + 1]);
  }
}
