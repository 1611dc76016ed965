// The mean distance from the mean: no finite state carries it.
// expect: refused: no finite rank
#include <cmath>

void refused_absolute(int rows, int cols, const double *x, double *y) {
  for (int i = 0; i < rows; i++) {
    double mu = 0, s = 0;
    for (int j = 0; j < cols; j++) mu += x[i * cols + j];
    mu /= cols;
    for (int j = 0; j < cols; j++) s += std::fabs(x[i * cols + j] - mu);
    y[i] = s / cols;
  }
}
