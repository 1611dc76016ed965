// The maximum leaves out the last column, the sum of distances from it does not: no order between them may be assumed.
// expect: corrected 0 in 1 kernel; refused: no correction for a sum
#include <cmath>

void excess_of_part(int rows, int cols, const double *x, double *y) {
  for (int i = 0; i < rows; i++) {
    double m = -INFINITY, s = 0;
    for (int j = 0; j < cols - 1; j++) m = std::fmax(m, x[i * cols + j]);
    for (int j = 0; j < cols; j++) s += std::fabs(x[i * cols + j] - m);
    y[i] = s;
  }
}
