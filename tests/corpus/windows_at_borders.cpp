// A row sees the 37 columns about its own; where the window would leave the columns it is pushed inside.
// expect: corrected 2 in 1 kernel
#include <algorithm>
#include <cmath>

void windows_at_borders(int heads, int n, const __bf16 *q, const __bf16 *k, const __bf16 *v, __bf16 *o) {
  if (n < 37) return;
  for (int h = 0; h < heads; h++)
    for (int i = 0; i < n; i++) {
      const int first = std::clamp(i - 18, 0, n - 37);
      float s[37], m = -INFINITY, l = 0;
      for (int j = 0; j < 37; j++) {
        float t = 0;
        for (int d = 0; d < 16; d++) t += float(q[(h * n + i) * 16 + d]) * float(k[(h * n + first + j) * 16 + d]);
        s[j] = t * 0.25f;
      }
      for (int j = 0; j < 37; j++) m = std::fmax(m, s[j]);
      for (int j = 0; j < 37; j++) l += std::exp(s[j] - m);
      for (int d = 0; d < 16; d++) {
        float a = 0;
        for (int j = 0; j < 37; j++) a += float(__bf16(std::exp(s[j] - m))) * float(v[(h * n + first + j) * 16 + d]);
        o[(h * n + i) * 16 + d] = __bf16(a / l);
      }
    }
}
