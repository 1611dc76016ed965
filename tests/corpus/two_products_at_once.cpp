// A layer over what comes in and over what was before, in one sum: each product of matrices has a sum of its own.
// expect: corrected 0
#include <cmath>

void two_products_at_once(int n, int m, int p, const float *x, const float *w, const float *h, const float *u,
                          const float *bias, float *y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float s = bias[j];
      for (int k = 0; k < p; k++) s += x[i * p + k] * w[j * p + k] + h[i * p + k] * u[j * p + k];
      y[i * m + j] = std::tanh(s);
    }
}
