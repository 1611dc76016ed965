// All elements of a column but the diagonal's: those before it are taken in first, which only the source's bits tell.
// expect: refused: no correction for a product
#include <cmath>

void all_but_the_diagonal(long n, const double *b, const float *u, double *y) {
  for (long row = 1; row < n; row++) {
    double sum = 0;
    for (long e = 0; e < n; e++)
      if (row != e) sum += b[e * n + row] + u[e];
    double product = 1;
    for (long e = 0; e < n; e++)
      if (row != e) product *= 1 + (b[e * n + row] - sum) * 0.01;
    y[row] = product / (1 + std::fabs(sum));
  }
}
