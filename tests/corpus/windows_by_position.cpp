// A row sees the 20 columns up to its own, and as many of those behind it as there are too few of; loops over columns.
// expect: corrected 2 in 1 kernel
#include <cmath>

void windows_by_position(int n, const __bf16 *q, const __bf16 *k, const __bf16 *v, __bf16 *o) {
  if (n < 20) return;
  for (int h = 0; h < 2; h++)
    for (int i = 0; i < n; i++) {
      int first = i - 19;
      if (first < 0) first = 0;
      if (first > n - 20) first = n - 20;
      float s[2048], m = -INFINITY, l = 0;
      for (int j = first; j < first + 20; j++) {
        float t = 0;
        for (int d = 0; d < 16; d++) t += float(q[(h * n + i) * 16 + d]) * float(k[(h * n + j) * 16 + d]);
        s[j] = t * 0.25f;
      }
      for (int j = first; j < first + 20; j++) m = std::fmax(m, s[j]);
      for (int j = first; j < first + 20; j++) l += std::exp(s[j] - m);
      for (int d = 0; d < 16; d++) {
        float a = 0;
        for (int j = first; j < first + 20; j++)
          a += float(__bf16(std::exp(s[j] - m))) * float(v[(h * n + j) * 16 + d]);
        o[(h * n + i) * 16 + d] = __bf16(a / l);
      }
    }
}
