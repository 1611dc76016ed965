// Causal softmax attention of 8 heads: query i sees the keys 0 to i.
// expect: corrected 2 in 1 kernel
// q, k, v and out are [8][n][64], stored flat.
#include <cmath>

void attention_causal(int n, const float *q, const float *k, const float *v, float *out) {
  for (int h = 0; h < 8; h++) {
    for (int i = 0; i < n; i++) {
      float score[4096];
      for (int j = 0; j <= i; j++) {
        float dot = 0.0f;
        for (int e = 0; e < 64; e++) dot += q[(h * n + i) * 64 + e] * k[(h * n + j) * 64 + e];
        score[j] = dot * 0.125f;
      }
      float m = -INFINITY;
      for (int j = 0; j <= i; j++) m = std::fmax(m, score[j]);
      float sum = 0.0f;
      for (int j = 0; j <= i; j++) sum += std::exp(score[j] - m);
      for (int e = 0; e < 64; e++) {
        float acc = 0.0f;
        for (int j = 0; j <= i; j++) acc += std::exp(score[j] - m) * v[(h * n + j) * 64 + e];
        out[(h * n + i) * 64 + e] = acc / sum;
      }
    }
  }
}
