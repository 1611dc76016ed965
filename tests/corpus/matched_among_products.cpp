// expect: corrected 1 in 1 kernel
// The product of a row with its own counterpart is computed beside those with all: the source's roundings of both are
// alike and cancel. With one row nothing is left of the result but what another order of the sums leaves.
#include <cmath>

void matched_among_products(int n, int d, float t, const float *a, const float *b, float *out) {
  for (int i = 0; i < n; ++i) {
    float m = -INFINITY;
    for (int j = 0; j < n; ++j) {
      float s = 0;
      for (int e = 0; e < d; ++e) s += a[i * d + e] * b[j * d + e];
      m = std::fmax(m, s / t);
    }
    float z = 0;
    for (int j = 0; j < n; ++j) {
      float s = 0;
      for (int e = 0; e < d; ++e) s += a[i * d + e] * b[j * d + e];
      z += std::exp(s / t - m);
    }
    float s = 0;
    for (int e = 0; e < d; ++e) s += a[i * d + e] * b[i * d + e];
    out[i] = m + std::log(z) - s / t;
  }
}
