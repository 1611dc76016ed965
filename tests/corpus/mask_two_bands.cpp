// A row sees the 40 columns up to its own, and 40 more that are 400 before them.
// expect: corrected 2 in 1 kernel
#include <cmath>

void mask_two_bands(int n, const __bf16 *q, const __bf16 *k, const __bf16 *v, __bf16 *o) {
  for (int h = 0; h < 2; h++)
    for (int i = 0; i < n; i++) {
      float s[2048], m = -INFINITY, l = 0;
      for (int j = 0; j < n; j++) {
        float t = 0;
        for (int d = 0; d < 64; d++) t += float(q[(h * n + i) * 64 + d]) * float(k[(h * n + j) * 64 + d]);
        s[j] = (i - j < 40 && j <= i) || (400 <= i - j && i - j < 440) ? t * 0.125f : -INFINITY;
      }
      for (int j = 0; j < n; j++) m = std::fmax(m, s[j]);
      for (int j = 0; j < n; j++) l += std::exp(s[j] - m);
      for (int d = 0; d < 64; d++) {
        float a = 0;
        for (int j = 0; j < n; j++) a += float(__bf16(std::exp(s[j] - m))) * float(v[(h * n + j) * 64 + d]);
        o[(h * n + i) * 64 + d] = __bf16(a / l);
      }
    }
}
