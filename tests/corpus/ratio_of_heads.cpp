// How many heads share keys is known at run time alone, but each slice that is copied is one that the loops read.
// expect: corrected 2
#include <cmath>

constexpr int d = 80;
void ratio_of_heads(int n, int m, int heads, int ratio, const __bf16 *__restrict q, const __bf16 *__restrict k,
                    const __bf16 *__restrict v, __bf16 *__restrict o) {
  for (int h = 0; h < heads; h++)
    for (int i = 0; i < n; i++) {
      float s[8192], sum[d], most = -INFINITY, l = 0;
      for (int j = 0; j < m; j++) {
        s[j] = 0;
        for (int e = 0; e < d; e++) s[j] += (float)q[(h * n + i) * d + e] * (float)k[((h / ratio) * m + j) * d + e];
        s[j] *= 0.1f;
      }
      for (int j = 0; j < m; j++) most = std::fmax(most, s[j]);
      for (int e = 0; e < d; e++) sum[e] = 0;
      for (int j = 0; j < m; j++) {
        const float p = std::exp(s[j] - most);
        l += p;
        for (int e = 0; e < d; e++) sum[e] += (float)(__bf16)p * (float)v[((h / ratio) * m + j) * d + e];
      }
      for (int e = 0; e < d; e++) o[(h * n + i) * d + e] = (__bf16)(sum[e] / l);
    }
}
