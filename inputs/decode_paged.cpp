// One new query of each of 64 heads attends to keys of 8 key heads that lie in pages of 16 anywhere in a pool.
// expect: corrected 2 in 1 kernel
// q and o are __bf16 [batch][64][128], k and v are [pages][16][8][128], stored flat. The keys of entry b lie, in order,
// in the pages table[b][0], table[b][1], ...; context_lens[b] of them count, at most 32768.
#include <cmath>
#include <cstdint>

constexpr int heads = 64;
constexpr int groups = 8;
constexpr int dim = 128;
constexpr int page = 16;

void decode_paged(std::int64_t batch, std::int64_t most, const int *__restrict table,
                  const int *__restrict context_lens, const __bf16 *__restrict q, const __bf16 *__restrict k,
                  const __bf16 *__restrict v, __bf16 *__restrict o) {
  const float scale = 0.08838834764f;
  for (std::int64_t b = 0; b < batch; b++)
    for (int h = 0; h < heads; h++) {
      float s[32768];
      for (std::int64_t j = 0; j < context_lens[b]; j++) {
        const std::int64_t row = (table[b * most + j / page] * page + j % page) * groups + h / 8;
        float dot = 0.0f;
        for (int d = 0; d < dim; d++) dot += float(q[(b * heads + h) * dim + d]) * float(k[row * dim + d]);
        s[j] = dot * scale;
      }
      float m = -INFINITY;
      for (std::int64_t j = 0; j < context_lens[b]; j++) m = std::fmax(m, s[j]);
      float l = 0.0f;
      for (std::int64_t j = 0; j < context_lens[b]; j++) l += std::exp(s[j] - m);
      for (int d = 0; d < dim; d++) {
        float sum = 0.0f;
        for (std::int64_t j = 0; j < context_lens[b]; j++) {
          const std::int64_t row = (table[b * most + j / page] * page + j % page) * groups + h / 8;
          sum += float(static_cast<__bf16>(std::exp(s[j] - m))) * float(v[row * dim + d]);
        }
        o[(b * heads + h) * dim + d] = static_cast<__bf16>(sum / l);
      }
    }
}
