// Three sums of which each one needs the one before it.
// expect: corrected 1 in 1 kernel; refused: no correction for a sum
#include <cmath>

void chain_of_sums(int rows, int cols, const double *x, double *y) {
  for (int i = 0; i < rows; i++) {
    double m = -INFINITY, z = 0, q = 0;
    for (int j = 0; j < cols; j++) m = std::fmax(m, x[i * cols + j]);
    for (int j = 0; j < cols; j++) z += std::exp(x[i * cols + j] - m);
    for (int j = 0; j < cols; j++) q += (x[i * cols + j] - z) * (x[i * cols + j] - z);
    y[i] = q;
  }
}
