// A row sees every third column about its own, 17 of them, of those that there are.
// expect: corrected 2 in 1 kernel
#include <cmath>

void windows_of_steps(int n, const __bf16 *q, const __bf16 *k, const __bf16 *v, __bf16 *o) {
  for (int h = 0; h < 2; h++)
    for (int i = 0; i < n; i++) {
      float s[17], m = -INFINITY, l = 0;
      for (int a = 0; a < 17; a++) {
        const int j = i + (a - 8) * 3;
        s[a] = -INFINITY;
        if (j < 0 || j >= n) continue;
        float t = 0;
        for (int d = 0; d < 16; d++) t += float(q[(h * n + i) * 16 + d]) * float(k[(h * n + j) * 16 + d]);
        s[a] = t * 0.25f;
      }
      for (int a = 0; a < 17; a++) m = std::fmax(m, s[a]);
      for (int a = 0; a < 17; a++) l += std::exp(s[a] - m);
      for (int d = 0; d < 16; d++) {
        float sum = 0;
        for (int a = 0; a < 17; a++) {
          const int j = i + (a - 8) * 3;
          if (j >= 0 && j < n) sum += float(__bf16(std::exp(s[a] - m))) * float(v[(h * n + j) * 16 + d]);
        }
        o[(h * n + i) * 16 + d] = __bf16(sum / l);
      }
    }
}
