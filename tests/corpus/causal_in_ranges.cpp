// Attention of sequences that follow one another: a row sees the keys of its own range up to itself.
// expect: corrected 2 in 1 kernel
#include <cmath>
#include <cstdint>

#pragma polymend index monotone(start)
void causal_in_ranges(std::int64_t batch, const int *start, const __bf16 *__restrict q, const __bf16 *__restrict k,
                      const __bf16 *__restrict v, __bf16 *__restrict o) {
  for (std::int64_t b = 0; b < batch; b++)
    for (int h = 0; h < 2; h++)
      for (std::int64_t i = start[b]; i < start[b + 1]; i++) {
        float m = -INFINITY, l = 0, acc[16];
        for (int d = 0; d < 16; d++) acc[d] = 0;
        for (std::int64_t j = start[b]; j <= i; j++) {
          float s = 0;
          for (int d = 0; d < 16; d++) s += float(q[(i * 2 + h) * 16 + d]) * float(k[(j * 2 + h) * 16 + d]);
          m = std::fmax(m, s);
        }
        for (std::int64_t j = start[b]; j <= i; j++) {
          float s = 0;
          for (int d = 0; d < 16; d++) s += float(q[(i * 2 + h) * 16 + d]) * float(k[(j * 2 + h) * 16 + d]);
          const float w = std::exp(s - m);
          l += w;
          for (int d = 0; d < 16; d++) acc[d] += float(static_cast<__bf16>(w)) * float(v[(j * 2 + h) * 16 + d]);
        }
        for (int d = 0; d < 16; d++) o[(i * 2 + h) * 16 + d] = static_cast<__bf16>(acc[d] / l);
      }
}
