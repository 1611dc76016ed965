// Only rows with an even index are written; the others keep what they hold.
// expect: corrected 1
#include <cmath>

void guarded_store(int rows, int n, const float *x, float *y) {
  for (int i = 0; i < rows; i++) {
    float m = -INFINITY, s = 0;
    for (int j = 0; j < n; j++) m = std::fmax(m, x[i * n + j]);
    for (int j = 0; j < n; j++) s += std::exp(x[i * n + j] - m);
    if (i % 2 == 0) y[i] = std::log(s) + m;
  }
}
