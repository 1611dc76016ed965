// Causal softmax attention, 64 query heads on 8 key heads: query head h reads key head h / 8.
// expect: corrected 2 in 1 kernel
// q and o are __bf16 [batch][64][n][128], k and v are [batch][8][n][128], stored flat. n is at most 32768.
#include <cmath>
#include <cstdint>

constexpr int heads = 64;
constexpr int groups = 8;
constexpr int dim = 128;

void prefill_gqa(std::int64_t batch, std::int64_t n, const __bf16 *q, const __bf16 *k, const __bf16 *v, __bf16 *o) {
  for (std::int64_t b = 0; b < batch; b++)
    for (int h = 0; h < heads; h++)
      for (std::int64_t i = 0; i < n; i++) {
        float score[32768];
        float best = -INFINITY;
        for (std::int64_t j = 0; j <= i; j++) {
          float dot = 0.0f;
          for (int d = 0; d < dim; d++)
            dot += float(q[((b * heads + h) * n + i) * dim + d]) * float(k[((b * groups + h / 8) * n + j) * dim + d]);
          score[j] = dot / std::sqrt(128.0f);
          best = std::fmax(best, score[j]);
        }
        float total = 0.0f;
        for (std::int64_t j = 0; j <= i; j++) total += std::exp(score[j] - best);
        for (int d = 0; d < dim; d++) {
          float sum = 0.0f;
          for (std::int64_t j = 0; j <= i; j++) {
            const __bf16 weight = static_cast<__bf16>(std::exp(score[j] - best));
            sum += float(weight) * float(v[((b * groups + h / 8) * n + j) * dim + d]);
          }
          o[((b * heads + h) * n + i) * dim + d] = static_cast<__bf16>(sum / total);
        }
      }
}
