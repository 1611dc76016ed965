// Softmax of each row into another array: the row's maximum taken out first, then scaled by the sum.
// expect: corrected 1 in 1 kernel
// x and y are [rows][columns], stored flat.
#include <cmath>

void row_softmax(int rows, int columns, const float *x, float *y) {
  for (int i = 0; i < rows; i++) {
    float m = -INFINITY;
    for (int j = 0; j < columns; j++) m = std::fmax(m, x[i * columns + j]);
    float sum = 0.0f;
    for (int j = 0; j < columns; j++) sum += std::exp(x[i * columns + j] - m);
    for (int j = 0; j < columns; j++) y[i * columns + j] = std::exp(x[i * columns + j] - m) / sum;
  }
}
