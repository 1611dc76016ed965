#include <cmath>

void mend(int rows, int columns, const float *x, float *y) {
  for (int i = 0; i < rows; i++) {
    float m = -INFINITY;
    for (int j = 0; j < columns; j++) m = std::fmax(m, x[i * columns + j]);
    float sum = 0.0f;
    for (int j = 0; j < columns; j++) sum += 1.0f / (1.0f + std::exp(m - x[i * columns + j]));
    y[i] = sum;
  }
}
