// Lesson 4: drop and mend. The second loop needs the finished maximum; polymend drops that and corrects the sum.
#include <cmath>

void mend(int rows, int columns, const float *x, float *y) {
  for (int i = 0; i < rows; i++) {
    float m = -INFINITY;
    for (int j = 0; j < columns; j++) m = std::fmax(m, x[i * columns + j]);
    float sum = 0.0f;
    for (int j = 0; j < columns; j++) sum += std::exp(x[i * columns + j] - m);
    y[i] = m + std::log(sum);
  }
}
