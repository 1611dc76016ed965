// Scores of blocks of sixteen: a query sees its own block and all before it; others are minus infinity.
// expect: corrected 2
#include <cmath>

void mask_blocked(int n, const float *q, const float *k, const float *v, float *o) {
  for (int i = 0; i < n; i++) {
    float s[512], m = -INFINITY, l = 0;
    for (int j = 0; j < n; j++) {
      float dot = 0;
      for (int d = 0; d < 8; d++) dot += q[i * 8 + d] * k[j * 8 + d];
      s[j] = j / 16 <= i / 16 ? dot : -INFINITY;
    }
    for (int j = 0; j < n; j++) m = s[j] > m ? s[j] : m;
    for (int j = 0; j < n; j++) l += std::exp(s[j] - m);
    for (int d = 0; d < 8; d++) {
      float a = 0;
      for (int j = 0; j < n; j++) a += std::exp(s[j] - m) * v[j * 8 + d];
      o[i * 8 + d] = a / l;
    }
  }
}
