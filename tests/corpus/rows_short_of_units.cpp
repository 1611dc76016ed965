// Rows of 40 columns are a part of 48, which fill matrix units: what is added is zero, or not stored.
// expect: corrected 2
#include <cmath>

constexpr int d = 40;
void rows_short_of_units(int n, int m, int heads, const __bf16 *__restrict q, const __bf16 *__restrict k,
                         const __bf16 *__restrict v, __bf16 *__restrict o) {
  for (int h = 0; h < heads; h++)
    for (int i = 0; i < n; i++) {
      float s[8192], sum[d], most = -INFINITY, l = 0;
      for (int j = 0; j < m; j++) {
        s[j] = 0;
        for (int e = 0; e < d; e++) s[j] += (float)q[(h * n + i) * d + e] * (float)k[(h * m + j) * d + e];
        s[j] *= 0.1f;
      }
      for (int j = 0; j < m; j++) most = std::fmax(most, s[j]);
      for (int e = 0; e < d; e++) sum[e] = 0;
      for (int j = 0; j < m; j++) {
        const float p = std::exp(s[j] - most);
        l += p;
        for (int e = 0; e < d; e++) sum[e] += (float)(__bf16)p * (float)v[(h * m + j) * d + e];
      }
      for (int e = 0; e < d; e++) o[(h * n + i) * d + e] = (__bf16)(sum[e] / l);
    }
}
