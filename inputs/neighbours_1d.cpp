// Each position of a sequence attends to the 255 positions about it; windows are pushed inside at both ends.
// expect: corrected 2 in 1 kernel
#include <algorithm>
#include <cmath>

void neighbours_1d(int heads, int n, const __bf16 *q, const __bf16 *k, const __bf16 *v, __bf16 *out) {
  if (n < 255) return;
  constexpr int dim = 64, window = 255, reach = window / 2;
  for (int h = 0; h < heads; h++)
    for (int i = 0; i < n; i++) {
      const int first = std::clamp(i - reach, 0, n - window);
      float s[window], m = -INFINITY, l = 0;
      for (int a = 0; a < window; a++) {
        float x = 0;
        for (int d = 0; d < dim; d++) x += float(q[(h * n + i) * dim + d]) * float(k[(h * n + first + a) * dim + d]);
        s[a] = x * 0.125f;
      }
      for (int a = 0; a < window; a++) m = std::fmax(m, s[a]);
      for (int a = 0; a < window; a++) l += std::exp(s[a] - m);
      for (int d = 0; d < dim; d++) {
        float o = 0;
        for (int a = 0; a < window; a++)
          o += float(__bf16(std::exp(s[a] - m))) * float(v[(h * n + first + a) * dim + d]);
        out[(h * n + i) * dim + d] = __bf16(o / l);
      }
    }
}
