// Softmax attention of 8 heads on flat arrays [8][n][64], with the row index computed by hand.
// expect: corrected 2 in 1 kernel
// The maximum is found by comparison, in the loop that computes the scores.
#include <cmath>

void attention_flat(int n, const float *q, const float *k, const float *v, float *out) {
  for (int h = 0; h < 8; h++)
    for (int i = 0; i < n; i++) {
      float s[4096];
      float m = -INFINITY;
      for (int j = 0; j < n; j++) {
        float dot = 0.0f;
        for (int e = 0; e < 64; e++) dot += q[h * n * 64 + i * 64 + e] * k[h * n * 64 + j * 64 + e];
        s[j] = dot * 0.125f;
        m = m < s[j] ? s[j] : m;
      }
      float l = 0.0f;
      for (int j = 0; j < n; j++) l += std::exp(s[j] - m);
      for (int e = 0; e < 64; e++) {
        float acc = 0.0f;
        for (int j = 0; j < n; j++) acc += std::exp(s[j] - m) * v[h * n * 64 + j * 64 + e];
        out[h * n * 64 + i * 64 + e] = acc / l;
      }
    }
}
