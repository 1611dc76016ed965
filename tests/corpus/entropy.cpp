// The entropy of exponential weights of each row, in three passes.
// expect: corrected 2
#include <cmath>

void entropy(int rows, int cols, const double *x, double *h) {
  for (int i = 0; i < rows; i++) {
    double m = -INFINITY, z = 0, e = 0;
    for (int j = 0; j < cols; j++) m = std::fmax(m, x[i * cols + j]);
    for (int j = 0; j < cols; j++) z += std::exp(x[i * cols + j] - m);
    for (int j = 0; j < cols; j++) e += std::exp(x[i * cols + j] - m) * (x[i * cols + j] - m);
    h[i] = std::log(z) - e / z;
  }
}
