// The second reduction runs its two loops in the other order.
// expect: corrected 1 in 1 kernel
#include <cmath>

void swapped_loops(int b, int n, int m, const float x[20][40][50], float *y) {
  for (int i = 0; i < b; i++) {
    float top = -INFINITY, s = 0;
    for (int j = 0; j < n; j++)
      for (int k = 0; k < m; k++) top = std::fmax(top, x[i][j][k]);
    for (int k = 0; k < m; k++)
      for (int j = 0; j < n; j++) s += std::exp(x[i][j][k] - top);
    y[i] = top + std::log(s);
  }
}
