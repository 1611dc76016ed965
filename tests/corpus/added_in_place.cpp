// Weighted means are added to what stands in the output: rows that are computed again begin with what stood there.
// expect: corrected 2
#include <cmath>

void added_in_place(int n, const __bf16 *q, const __bf16 *k, const __bf16 *v, __bf16 *o) {
  for (int i = 0; i < n; i++) {
    float s[512], m = -INFINITY, l = 0;
    for (int j = 0; j <= i; j++) {
      float t = 0;
      for (int e = 0; e < 64; e++) t += (float)q[i * 64 + e] * (float)k[j * 64 + e];
      s[j] = t * 0.125f;
      m = std::fmax(m, s[j]);
    }
    for (int j = 0; j <= i; j++) l += std::exp(s[j] - m);
    for (int e = 0; e < 64; e++) {
      float a = 0;
      for (int j = 0; j <= i; j++) a += (float)(__bf16)std::exp(s[j] - m) * (float)v[j * 64 + e];
      o[i * 64 + e] = (__bf16)((float)o[i * 64 + e] + a / l);
    }
  }
}
