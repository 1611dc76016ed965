// Rows of a vector, normalised; the early return guards nothing that the loops do not.
// expect: corrected 1
#include <algorithm>
#include <cmath>
#include <vector>

void softmax_of_vectors(const std::vector<float> &x, std::vector<float> &y, int rows, int cols) {
  if (rows <= 0 || cols <= 0) return;
  for (int i = 0; i < rows; i++) {
    float m = -INFINITY;
    for (int j = 0; j < cols; j++) m = std::max(m, x[i * cols + j]);
    float s = 0.0f;
    for (int j = 0; j < cols; j++) s += std::exp(x[i * cols + j] - m);
    for (int j = 0; j < cols; j++) y[i * cols + j] = std::exp(x[i * cols + j] - m) / s;
  }
}
