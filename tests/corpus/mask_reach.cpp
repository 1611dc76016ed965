// How far back a row sees, and for how long a column is seen, are arrays: rows and columns bound each other.
// expect: corrected 2 in 1 kernel
#include <cmath>

void mask_reach(int n, const int *reach, const int *life, const __bf16 *q, const __bf16 *k, const __bf16 *v,
                __bf16 *o) {
  for (int i = 0; i < n; i++) {
    float s[2048], m = -INFINITY, l = 0;
    for (int j = 0; j < n; j++) {
      float t = 0;
      for (int d = 0; d < 64; d++) t += float(q[i * 64 + d]) * float(k[j * 64 + d]);
      s[j] = j <= i && i - j <= reach[i] + life[j] ? t * 0.125f : -INFINITY;
    }
    for (int j = 0; j < n; j++) m = std::fmax(m, s[j]);
    for (int j = 0; j < n; j++) l += std::exp(s[j] - m);
    for (int d = 0; d < 64; d++) {
      float a = 0;
      for (int j = 0; j < n; j++) a += float(__bf16(std::exp(s[j] - m))) * float(v[j * 64 + d]);
      o[i * 64 + d] = __bf16(a / l);
    }
  }
}
