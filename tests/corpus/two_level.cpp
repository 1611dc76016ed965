// A sum of exponentials over two loops after a maximum over two loops; sizes of the inner loops differ from the rows.
// expect: corrected 1
#include <cmath>

void two_level(int b, int n, int m, const float *x, float *y) {
  for (int i = 0; i < b; i++) {
    float top = -INFINITY;
    for (int j = 0; j < n; j++)
      for (int k = 0; k < m; k++) top = std::fmax(top, x[(i * n + j) * m + k]);
    float s = 0;
    for (int j = 0; j < n; j++)
      for (int k = 0; k < m; k++) s += std::exp(x[(i * n + j) * m + k] - top);
    y[i] = top + std::log(s);
  }
}
