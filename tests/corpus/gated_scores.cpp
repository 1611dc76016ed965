// Scores are scaled by a gate of each side, each a quotient.
// expect: corrected 2
#include <cmath>

static inline float gate(float x) { return 1.0f / (1.0f + std::exp(-x)); }

void gated_scores(int n, const float *q, const float *k, const float *g, const float *h, const float *v, float *o) {
  for (int i = 0; i < n; i++) {
    float m = -INFINITY, l = 0, a = 0;
    for (int j = 0; j < n; j++) m = std::fmax(m, q[i] * k[j] * gate(g[i]) * gate(h[j]));
    for (int j = 0; j < n; j++) {
      const float p = std::exp(q[i] * k[j] * gate(g[i]) * gate(h[j]) - m);
      l += p;
      a += p * v[j] * gate(g[j]);
    }
    o[i] = a / l;
  }
}
