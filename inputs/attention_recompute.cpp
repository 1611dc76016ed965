// Softmax attention of 8 heads, written in the plainest way: the weight of a key is computed again for each output.
// expect: corrected 2 in 1 kernel
// q, k, v and out are [8][n][64], stored flat; n is at most 4096.
#include <cmath>

void attention(int n, const float *q, const float *k, const float *v, float *out) {
  for (int h = 0; h < 8; h++) {
    for (int i = 0; i < n; i++) {
      float s[4096];
      for (int j = 0; j < n; j++) {
        s[j] = 0.0f;
        for (int e = 0; e < 64; e++) s[j] += q[(h * n + i) * 64 + e] * k[(h * n + j) * 64 + e];
        s[j] = s[j] / std::sqrt(64.0f);
      }
      float m = -INFINITY;
      for (int j = 0; j < n; j++) m = std::fmax(m, s[j]);
      float total = 0.0f;
      for (int j = 0; j < n; j++) total += std::exp(s[j] - m);
      for (int e = 0; e < 64; e++) {
        float sum = 0.0f;
        for (int j = 0; j < n; j++) sum += std::exp(s[j] - m) * v[(h * n + j) * 64 + e];
        out[(h * n + i) * 64 + e] = sum / total;
      }
    }
  }
}
