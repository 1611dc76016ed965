// The largest element multiplies inside the exponential.
// expect: refused: no finite rank
#include <cmath>

void refused_exponent(int rows, int cols, const float *x, float *y) {
  for (int i = 0; i < rows; i++) {
    float m = -INFINITY, s = 0;
    for (int j = 0; j < cols; j++) m = std::fmax(m, x[i * cols + j]);
    for (int j = 0; j < cols; j++) s += std::exp(x[i * cols + j] * m);
    y[i] = s;
  }
}
