// Few rows of a step share keys that lie in pages of 16, anywhere in a pool: a table says where. Lengths are read, too.
// expect: corrected 2 in 1 kernel
#include <algorithm>
#include <cmath>
#include <cstdint>

void keys_in_pages(std::int64_t batch, std::int64_t most, const int *__restrict page, const int *__restrict length,
                   const __bf16 *__restrict q, const __bf16 *__restrict k, const __bf16 *__restrict v,
                   __bf16 *__restrict o) {
  for (std::int64_t b = 0; b < batch; b++)
    for (int h = 0; h < 8; h++) {
      float m = -INFINITY, l = 0, acc[64];
      for (int d = 0; d < 64; d++) acc[d] = 0;
      for (std::int64_t j = 0; j < length[b]; j++) {
        float s = 0;
        for (int d = 0; d < 64; d++)
          s +=
              float(q[(b * 8 + h) * 64 + d]) * float(k[((page[b * most + j / 16] * 16 + j % 16) * 2 + h / 4) * 64 + d]);
        m = std::fmax(m, s);
      }
      for (std::int64_t j = 0; j < length[b]; j++) {
        float s = 0;
        for (int d = 0; d < 64; d++)
          s +=
              float(q[(b * 8 + h) * 64 + d]) * float(k[((page[b * most + j / 16] * 16 + j % 16) * 2 + h / 4) * 64 + d]);
        const float w = std::exp(s - m);
        l += w;
        for (int d = 0; d < 64; d++)
          acc[d] +=
              float(static_cast<__bf16>(w)) * float(v[((page[b * most + j / 16] * 16 + j % 16) * 2 + h / 4) * 64 + d]);
      }
      for (int d = 0; d < 64; d++) o[(b * 8 + h) * 64 + d] = static_cast<__bf16>(acc[d] / l);
    }
}
