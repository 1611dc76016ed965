// The greatest of a row but for one element, which may be above it: a distance from it is no difference turned round.
// expect: refused: no correction for a sum
#include <cmath>

void one_left_out_of_the_greatest(int n, int m, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double top = -INFINITY;
    for (int j = 0; j < m; j++)
      if (j != i) top = std::fmax(top, x[i * m + j + 3]);
    double part = 0;
    for (int j = 0; j <= i; j++) part += std::abs(x[i * m + j + 3] - top);
    y[i] = part;
  }
}
