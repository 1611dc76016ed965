// A maximum in float, the sum of exponentials in double, the result in float.
// expect: corrected 2
#include <cmath>

void mixed_types(int rows, int cols, const float *x, const double *w, float *y, double *z) {
  for (int i = 0; i < rows; i++) {
    float m = -INFINITY;
    for (int j = 0; j < cols; j++) m = std::fmax(m, x[i * cols + j]);
    double s = 0, t = 0;
    for (int j = 0; j < cols; j++) s += std::exp((double)x[i * cols + j] - m);
    for (int j = 0; j < cols; j++) t += std::exp((double)(x[i * cols + j] - m)) * w[j];
    y[i] = (float)(m + std::log(s));
    z[i] = t / s;
  }
}
