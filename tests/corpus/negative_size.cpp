// A size that may be negative scales a maximum that waits for another one.
// expect: corrected 0 in 1 kernel; refused: no correction for a maximum
#include <cmath>

void negative_size(int rows, int cols, int shift, const double *x, double *y) {
  for (int i = 0; i < rows; i++) {
    double m = -INFINITY, s = -INFINITY;
    for (int j = 0; j < cols; j++) m = std::fmax(m, x[i * cols + j]);
    for (int j = 0; j < cols; j++)
      if (j > shift) s = std::fmax(s, (x[i * cols + j] - m) * shift);
    y[i] = s;
  }
}
