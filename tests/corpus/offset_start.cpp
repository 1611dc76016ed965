// A sum of squares that starts below zero, so that its sign is open, scales a maximum.
// expect: corrected 0 in 1 kernel; refused: no correction for a maximum
#include <cmath>

void offset_start(int rows, int cols, const double *x, const double *start, double *y) {
  for (int i = 0; i < rows; i++) {
    double ss = start[i], m = -INFINITY;
    for (int j = 0; j < cols; j++) ss += x[i * cols + j] * x[i * cols + j];
    for (int j = 0; j < cols; j++) m = std::fmax(m, x[i * cols + j] * ss);
    y[i] = m;
  }
}
