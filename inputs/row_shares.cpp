// Each row divided by the sum of its magnitudes.
// expect: corrected 0 in 1 kernel
// x and y are [rows][columns], stored flat.
#include <cmath>

void row_shares(int rows, int columns, const float *x, float *y) {
  for (int i = 0; i < rows; i++) {
    float sum = 0.0f;
    for (int j = 0; j < columns; j++) sum += std::fabs(x[i * columns + j]);
    for (int j = 0; j < columns; j++) y[i * columns + j] = x[i * columns + j] / sum;
  }
}
