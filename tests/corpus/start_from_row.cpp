// The sum starts from what the caller's array holds; the maximum stays visible.
// expect: corrected 1
#include <cmath>

void start_from_row(int rows, int n, const double *x, double *s, double *m) {
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < n; j++) m[i] = std::fmax(m[i], x[i * n + j]);
    for (int j = 0; j < n; j++) s[i] += std::exp(x[i * n + j] - m[i]);
  }
}
