// The accumulators are declared before the loops and reset for each row.
// expect: corrected 1
#include <cmath>

void accumulators_outside(int rows, int cols, const float *x, float *y) {
  float m, s;
  int i, j;
  for (i = 0; i < rows; i++) {
    m = -INFINITY;
    s = 0;
    for (j = 0; j < cols; j++) m = std::fmax(m, x[i * cols + j]);
    for (j = 0; j < cols; j++) s += std::exp(x[i * cols + j] - m);
    y[i] = s;
  }
}
