// Weights that are 0 outside a window, and scores there that a maximum does not see.
// expect: corrected 2
#include <cmath>

void mask_weights(int n, const float *s, const float *v, float *o) {
  for (int i = 0; i < n; i++) {
    float m = -INFINITY, l = 0, a = 0;
    for (int j = 0; j < n; j++) m = std::fmax(m, j <= i && i - j < 20 ? s[i * n + j] : -INFINITY);
    for (int j = 0; j < n; j++) {
      const float w = j <= i && i - j < 20 ? std::exp(s[i * n + j] - m) : 0.0f;
      l += w;
      a += w * v[j];
    }
    o[i] = a / l;
  }
}
