// Softmax attention of 8 heads on __bf16 arrays [8][n][64], stored flat; every sum is a float.
// expect: corrected 2 in 1 kernel
// n is at most 4096.
#include <cmath>

void attention_bf16(int n, const __bf16 *q, const __bf16 *k, const __bf16 *v, __bf16 *out) {
  for (int h = 0; h < 8; h++)
    for (int i = 0; i < n; i++) {
      float s[4096];
      for (int j = 0; j < n; j++) {
        float dot = 0.0f;
        for (int e = 0; e < 64; e++) dot += float(q[(h * n + i) * 64 + e]) * float(k[(h * n + j) * 64 + e]);
        s[j] = dot * 0.125f;
      }
      float m = -INFINITY;
      for (int j = 0; j < n; j++) m = std::fmax(m, s[j]);
      float total = 0.0f;
      for (int j = 0; j < n; j++) total += std::exp(s[j] - m);
      for (int e = 0; e < 64; e++) {
        float sum = 0.0f;
        for (int j = 0; j < n; j++) sum += std::exp(s[j] - m) * float(v[(h * n + j) * 64 + e]);
        out[(h * n + i) * 64 + e] = static_cast<__bf16>(sum / total);
      }
    }
}
