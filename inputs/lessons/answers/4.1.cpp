#include <cmath>

void mend(int rows, int columns, const float *x, const float *w, float *y) {
  for (int i = 0; i < rows; i++) {
    float m = -INFINITY;
    for (int j = 0; j < columns; j++) m = std::fmax(m, x[i * columns + j]);
    float sum = 0.0f;
    for (int j = 0; j < columns; j++) sum += std::exp(x[i * columns + j] - m);
    float weighted = 0.0f;
    for (int j = 0; j < columns; j++) weighted += std::exp(x[i * columns + j] - m) * w[j];
    y[i] = weighted / sum;
  }
}
