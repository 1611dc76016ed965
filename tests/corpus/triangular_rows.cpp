// Row i has i + 1 elements in a packed triangle held in a square; the result of a row with no positive part is minus
// infinity.
// expect: corrected 1
#include <cmath>

void triangular_rows(int n, const float x[140][140], float *y) {
  for (int i = n - 1; i >= 0; --i) {
    float m = -INFINITY, s = 0;
    for (int j = i; j < n; ++j) m = std::fmax(m, x[j][i]);
    for (int j = i; j < n; ++j) s += std::exp(x[j][i] - m);
    y[i] = std::log(s) + m;
  }
}
