// Each row is centred and scaled and stored: the last pass has to stay.
// expect: corrected 1
#include <cmath>

void normalise_store(int rows, int cols, const float *x, const float *g, const float *b, float *y) {
  for (int i = 0; i < rows; i++) {
    float mean = 0, var = 0;
    for (int j = 0; j < cols; j++) mean += x[i * cols + j];
    mean /= cols;
    for (int j = 0; j < cols; j++) var += (x[i * cols + j] - mean) * (x[i * cols + j] - mean);
    var /= cols;
    float r = 1.0f / std::sqrt(var + 1e-5f);
    for (int j = 0; j < cols; j++) y[i * cols + j] = (x[i * cols + j] - mean) * r * g[j] + b[j];
  }
}
