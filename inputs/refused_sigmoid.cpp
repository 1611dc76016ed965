// The sum of sigmoid(x - maximum) of each row: no factor moves the sum from one maximum to the next, so no correction
// expect: corrected 0 in 1 kernel; refused: no correction for a sum
// exists and the two loops over a row must stay apart. x is [rows][columns], stored flat.
#include <cmath>

void sigmoid_sum(int rows, int columns, const float *x, float *y) {
  for (int i = 0; i < rows; i++) {
    float m = -INFINITY;
    for (int j = 0; j < columns; j++) m = std::fmax(m, x[i * columns + j]);
    float sum = 0.0f;
    for (int j = 0; j < columns; j++) sum += 1.0f / (1.0f + std::exp(m - x[i * columns + j]));
    y[i] = sum;
  }
}
