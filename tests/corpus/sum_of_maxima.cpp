// A reduction of a reduction: the sum over rows of each row's logarithm of a sum.
// expect: corrected 1
#include <cmath>

double sum_of_maxima(int rows, int n, const double *x) {
  double total = 0;
  for (int i = 0; i < rows; i++) {
    double m = -INFINITY, s = 0;
    for (int j = 0; j < n; j++) m = std::fmax(m, x[i * n + j]);
    for (int j = 0; j < n; j++) s += std::exp(x[i * n + j] - m);
    total += m + std::log(s);
  }
  return total;
}
