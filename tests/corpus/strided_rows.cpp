// Every third row, with an offset, and a size given as a long.
// expect: corrected 1
#include <cmath>

void strided_rows(long rows, long cols, const float *x, float *y) {
  for (long i = 2; i < rows; i += 3) {
    float m = -INFINITY, s = 0;
    for (long j = 0; j < cols; j++) m = std::fmax(m, x[i * cols + j]);
    for (long j = 0; j < cols; j++) s += std::exp(x[i * cols + j] - m);
    y[i] = s;
  }
}
