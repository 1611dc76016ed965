// Centred and scaled rows times a matrix.
// expect: corrected 2
#include <cmath>

void normalise_product(int rows, int cols, int outs, const float *x, const float *w, float *y) {
  for (int i = 0; i < rows; i++) {
    float mean = 0, var = 0;
    for (int j = 0; j < cols; j++) mean += x[i * cols + j];
    mean /= cols;
    for (int j = 0; j < cols; j++) var += (x[i * cols + j] - mean) * (x[i * cols + j] - mean);
    float r = 1.0f / std::sqrt(var / cols + 1e-5f);
    for (int o = 0; o < outs; o++) {
      float acc = 0;
      for (int j = 0; j < cols; j++) acc += (x[i * cols + j] - mean) * r * w[j * outs + o];
      y[i * outs + o] = acc;
    }
  }
}
