// Scores of a row kept on the stack.
#include <alloca.h>
#include <cmath>

void alloca_scratch(const float *x, float *y, int rows, int cols) {
  float *tmp = (float *)alloca(cols * sizeof(float));
  for (int r = 0; r < rows; r++) {
    float s = 0;
    for (int c = 0; c < cols; c++) {
      tmp[c] = std::exp(x[r * cols + c]);
      s += tmp[c];
    }
    for (int c = 0; c < cols; c++) y[r * cols + c] = tmp[c] / s;
  }
}
