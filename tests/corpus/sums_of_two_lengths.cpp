// A maximum over a whole row, and a sum over its beginning that waits for it.
// expect: corrected 1
#include <cmath>

void sums_of_two_lengths(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float top = -INFINITY;
    for (int j = 0; j < m; j++) top = std::fmax(top, x[i * m + j]);
    float part = 0.0f;
    for (int j = 0; j < i + 1; j++) part += std::exp(x[i * m + j] - top);
    y[i] = part;
  }
}
