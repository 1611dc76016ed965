// Each row divided by the root of its mean square and scaled by a weight per column.
// expect: corrected 0 in 1 kernel
// x and y are [rows][columns], stored flat.
#include <cmath>

void rms_norm(int rows, int columns, const float *x, const float *weight, float *y) {
  for (int i = 0; i < rows; i++) {
    float squares = 0.0f;
    for (int j = 0; j < columns; j++) squares += x[i * columns + j] * x[i * columns + j];
    float scale = 1.0f / std::sqrt(squares / columns + 1e-6f);
    for (int j = 0; j < columns; j++) y[i * columns + j] = x[i * columns + j] * scale * weight[j];
  }
}
