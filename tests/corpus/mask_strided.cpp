// Scores of every fourth key up to the query, counted back from it; others are minus infinity.
// expect: corrected 2
#include <cmath>

void mask_strided(int n, const float *q, const float *k, const float *v, float *o) {
  for (int i = 0; i < n; i++) {
    float s[512], m = -INFINITY, l = 0;
    for (int j = 0; j < n; j++) {
      float dot = 0;
      for (int d = 0; d < 8; d++) dot += q[i * 8 + d] * k[j * 8 + d];
      s[j] = j <= i && (i - j) % 4 == 0 ? dot * 0.25f : -INFINITY;
    }
    for (int j = 0; j < n; j++) m = std::fmax(m, s[j]);
    for (int j = 0; j < n; j++) l += std::exp(s[j] - m);
    for (int d = 0; d < 8; d++) {
      float a = 0;
      for (int j = 0; j < n; j++) a += std::exp(s[j] - m) * v[j * 8 + d];
      o[i * 8 + d] = a / l;
    }
  }
}
