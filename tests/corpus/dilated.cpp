// Keys at distances that are multiples of four, looking back.
// expect: corrected 2
#include <cmath>

void dilated(int n, const float *q, const float *k, const float *v, float *o) {
  for (int i = 0; i < n; i++) {
    float m = -INFINITY;
    for (int t = 0; t <= i / 4; t++) m = std::fmax(m, q[i] * k[i - 4 * t]);
    float l = 0, a = 0;
    for (int t = 0; t <= i / 4; t++) {
      l += std::exp(q[i] * k[i - 4 * t] - m);
      a += std::exp(q[i] * k[i - 4 * t] - m) * v[i - 4 * t];
    }
    o[i] = a / l;
  }
}
