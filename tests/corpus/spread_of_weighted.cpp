// Exponential weights, the mean under them, and the length of what the mean leaves over.
// expect: corrected 3
#include <cmath>

void spread_of_weighted(int rows, int n, const float *x, const float *v, float *y) {
  for (int i = 0; i < rows; i++) {
    float m = -INFINITY, l = 0, a = 0, z = 0;
    for (int j = 0; j < n; j++) m = std::fmax(m, x[i * n + j]);
    for (int j = 0; j < n; j++) l += std::exp(x[i * n + j] - m);
    for (int j = 0; j < n; j++) a += std::exp(x[i * n + j] - m) / l * v[i * n + j];
    for (int j = 0; j < n; j++) {
      float t = std::exp(x[i * n + j] - m) / l * (v[i * n + j] - a);
      z += t * t;
    }
    y[i] = std::sqrt(z);
  }
}
