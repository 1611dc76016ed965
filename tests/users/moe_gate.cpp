// A router: softmax over experts, the best expert and its weight.
#include <cmath>

void moe_gate(const float *x, const float *w, int *expert, float *weight, int tokens, int dim, int experts) {
  for (int t = 0; t < tokens; ++t) {
    float best = -1e30f, sum = 0.0f;
    int which = 0;
    float logits[64];
    for (int e = 0; e < experts; ++e) {
      float s = 0;
      for (int d = 0; d < dim; ++d) s += x[t * dim + d] * w[e * dim + d];
      logits[e] = s;
      if (s > best) {
        best = s;
        which = e;
      }
    }
    for (int e = 0; e < experts; ++e) sum += std::exp(logits[e] - best);
    expert[t] = which;
    weight[t] = 1.0f / sum;
  }
}
