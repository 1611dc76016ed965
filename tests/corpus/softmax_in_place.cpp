// Softmax of each row, stored over the row.
// expect: corrected 1
#include <cmath>

void softmax_in_place(int rows, int cols, float *x) {
  for (int i = 0; i < rows; i++) {
    float m = -INFINITY;
    for (int j = 0; j < cols; j++) m = std::fmax(m, x[i * cols + j]);
    float z = 0;
    for (int j = 0; j < cols; j++) {
      x[i * cols + j] = std::exp(x[i * cols + j] - m);
      z += x[i * cols + j];
    }
    for (int j = 0; j < cols; j++) x[i * cols + j] /= z;
  }
}
