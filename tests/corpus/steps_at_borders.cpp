// A row sees 7 columns, 4 apart, of its own residue; where the window would leave the columns it is pushed inside.
// expect: corrected 2 in 1 kernel
#include <cmath>

void steps_at_borders(int n, const __bf16 *q, const __bf16 *k, const __bf16 *v, __bf16 *o) {
  if (n < 28) return;
  for (int h = 0; h < 2; h++)
    for (int i = 0; i < n; i++) {
      const int own = i % 4, count = (n - own + 3) / 4;
      int first = i / 4 - 3;
      if (first > count - 7) first = count - 7;
      if (first < 0) first = 0;
      float s[7], m = -INFINITY, l = 0;
      for (int a = 0; a < 7; a++) {
        float t = 0;
        for (int d = 0; d < 16; d++)
          t += float(q[(h * n + i) * 16 + d]) * float(k[(h * n + (first + a) * 4 + own) * 16 + d]);
        s[a] = t * 0.25f;
      }
      for (int a = 0; a < 7; a++) m = std::fmax(m, s[a]);
      for (int a = 0; a < 7; a++) l += std::exp(s[a] - m);
      for (int d = 0; d < 16; d++) {
        float sum = 0;
        for (int a = 0; a < 7; a++)
          sum += float(__bf16(std::exp(s[a] - m))) * float(v[(h * n + (first + a) * 4 + own) * 16 + d]);
        o[(h * n + i) * 16 + d] = __bf16(sum / l);
      }
    }
}
