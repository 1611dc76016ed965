// Keys at distances 0, 3, 6, ... 21 on both sides, as an if in each loop.
// expect: corrected 2
#include <cmath>

void mask_dilated(int n, const float *q, const float *k, const float *v, float *o) {
  for (int i = 0; i < n; i++) {
    float m = -INFINITY, l = 0, a = 0;
    for (int j = 0; j < n; j++)
      if ((j - i) % 3 == 0 && j - i <= 21 && i - j <= 21) m = std::fmax(m, q[i] * k[j]);
    for (int j = 0; j < n; j++)
      if ((j - i) % 3 == 0 && j - i <= 21 && i - j <= 21) {
        const float w = std::exp(q[i] * k[j] - m);
        l += w;
        a += w * v[j];
      }
    o[i] = a / l;
  }
}
