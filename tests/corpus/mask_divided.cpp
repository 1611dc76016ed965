// Masked scores are replaced by weights, and the weights are divided by their sum, before values are taken in.
// expect: corrected 2
#include <cmath>

void mask_divided(int n, const float *q, const float *k, const float *v, float *o) {
  for (int i = 0; i < n; i++) {
    float p[512], m = -INFINITY, l = 0;
    for (int j = 0; j < n; j++) {
      p[j] = -INFINITY;
      if (j <= i && j + 40 > i) p[j] = q[i] * k[j];
    }
    for (int j = 0; j < n; j++) m = std::fmax(m, p[j]);
    for (int j = 0; j < n; j++) {
      p[j] = std::exp(p[j] - m);
      l += p[j];
    }
    for (int j = 0; j < n; j++) p[j] = p[j] / l;
    for (int d = 0; d < 8; d++) {
      float a = 0;
      for (int j = 0; j < n; j++) a += p[j] * v[j * 8 + d];
      o[i * 8 + d] = a;
    }
  }
}
