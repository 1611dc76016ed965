// The logarithm of the sum of exponentials of each row, with the row's maximum taken out first.
// expect: corrected 1 in 1 kernel
// x is [rows][columns], stored flat.
#include <cmath>

void log_sum_exp(int rows, int columns, const float *x, float *y) {
  for (int i = 0; i < rows; i++) {
    float m = -INFINITY;
    for (int j = 0; j < columns; j++) m = std::fmax(m, x[i * columns + j]);
    float sum = 0.0f;
    for (int j = 0; j < columns; j++) sum += std::exp(x[i * columns + j] - m);
    y[i] = m + std::log(sum);
  }
}
