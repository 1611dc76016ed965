// Causal softmax attention over packed documents: a mask that compares numbers which are looked up.
// Arrays as in inputs/prefill_causal.cpp; doc is int [batch][n].
#include <cmath>
#include <cstdint>

constexpr int heads = 32;
constexpr int dim = 128;

void other_documents(std::int64_t batch, std::int64_t n, const __bf16 *q, const __bf16 *k, const __bf16 *v, __bf16 *o,
                     const int *doc) {
  const float scale = 0.08838834764f;
  for (std::int64_t b = 0; b < batch; b++)
    for (int h = 0; h < heads; h++)
      for (std::int64_t i = 0; i < n; i++) {
        float s[32768];
        for (std::int64_t j = 0; j <= i; j++) {
          float dot = 0.0f;
          for (int d = 0; d < dim; d++)
            dot += float(q[((b * heads + h) * n + i) * dim + d]) * float(k[((b * heads + h) * n + j) * dim + d]);
          s[j] = doc[b * n + i] == doc[b * n + j] ? dot * scale : -INFINITY;
        }
        float m = -INFINITY;
        for (std::int64_t j = 0; j <= i; j++) m = std::fmax(m, s[j]);
        float l = 0.0f;
        for (std::int64_t j = 0; j <= i; j++) l += std::exp(s[j] - m);
        for (int d = 0; d < dim; d++) {
          float sum = 0.0f;
          for (std::int64_t j = 0; j <= i; j++) {
            const __bf16 w = static_cast<__bf16>(std::exp(s[j] - m));
            sum += float(w) * float(v[((b * heads + h) * n + j) * dim + d]);
          }
          o[((b * heads + h) * n + i) * dim + d] = static_cast<__bf16>(sum / l);
        }
      }
}
