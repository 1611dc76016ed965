// Three reductions in a chain: the largest, the sum of exponentials below it, the largest share.
// expect: corrected 2 in 1 kernel
#include <cmath>

void least_of_scaled(int rows, int cols, const double *x, double *y) {
  for (int i = 0; i < rows; i++) {
    double m = -INFINITY, z = 0, p = -INFINITY;
    for (int j = 0; j < cols; j++) m = std::fmax(m, x[i * cols + j]);
    for (int j = 0; j < cols; j++) z += std::exp(x[i * cols + j] - m);
    for (int j = 0; j < cols; j++) p = std::fmax(p, std::exp(x[i * cols + j] - m) / z);
    y[i] = p;
  }
}
