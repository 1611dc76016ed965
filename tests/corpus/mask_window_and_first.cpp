// A row sees the 150 columns up to its own, and of those before it the first 70.
// expect: corrected 2 in 1 kernel
#include <cmath>

void mask_window_and_first(int n, const __bf16 *q, const __bf16 *k, const __bf16 *v, __bf16 *o) {
  for (int h = 0; h < 2; h++)
    for (int i = 0; i < n; i++) {
      float s[2048], m = -INFINITY, l = 0;
      for (int j = 0; j < n; j++) {
        float t = 0;
        for (int d = 0; d < 64; d++) t += float(q[(h * n + i) * 64 + d]) * float(k[(h * n + j) * 64 + d]);
        s[j] = j <= i && (i - j < 150 || j < 70) ? t * 0.125f : -INFINITY;
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
