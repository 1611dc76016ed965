// Elements before the one that the pointer names are read.
// expect: corrected 0 in 1 kernel
#include <cmath>

void below_the_pointer(int n, int k, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    if (i < 2 * k) y[i] = std::exp(x[i - k]);
}
