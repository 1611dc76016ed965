// A log-sum and a weighted mean of scores that are multiplied by a reciprocal: each use multiplies by it.
// expect: corrected 2
#include <cmath>

void reciprocal_scale(int n, int m, int d, const float *x, const float *v, float *y, float *logs) {
  const float scale = 1 / std::sqrt((float)d);
  for (int i = 0; i < n; i++) {
    float top = -INFINITY, z = 0, t = 0;
    for (int j = 0; j < m; j++) top = std::fmax(top, x[i * m + j] * scale);
    for (int j = 0; j < m; j++) z += std::exp(x[i * m + j] * scale - top);
    for (int j = 0; j < m; j++) t += std::exp(x[i * m + j] * scale - top) / z * v[j];
    logs[i] = top + std::log(z);
    y[i] = t;
  }
}
