// Two maxima of which one scales the other's sum.
// expect: corrected 1
#include <cmath>

void two_maxima(int rows, int n, const double *x, const double *w, double *y) {
  for (int i = 0; i < rows; i++) {
    double a = -INFINITY, b = 0, s = 0;
    for (int j = 0; j < n; j++) a = std::fmax(a, x[i * n + j]);
    for (int j = 0; j < n; j++) b = std::fmax(b, std::fabs(w[i * n + j]));
    for (int j = 0; j < n; j++) s += std::exp(x[i * n + j] - a) * (w[i * n + j] / b);
    y[i] = s;
  }
}
