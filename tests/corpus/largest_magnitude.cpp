// The two-norm without overflow, and the sum of squares beside the maximum.
// expect: corrected 1
#include <cmath>

void largest_magnitude(int rows, int cols, const double *x, double *norm, double *plain) {
  for (int i = 0; i < rows; i++) {
    double big = 0, s = 0, p = 0;
    for (int j = 0; j < cols; j++) {
      big = std::fmax(big, std::fabs(x[i * cols + j]));
      p += x[i * cols + j] * x[i * cols + j];
    }
    for (int j = 0; j < cols; j++) s += (x[i * cols + j] / big) * (x[i * cols + j] / big);
    norm[i] = big * std::sqrt(s);
    plain[i] = p;
  }
}
