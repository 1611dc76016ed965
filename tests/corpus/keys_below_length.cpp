// Keys below a length of each batch entry, which nothing else bounds: how many rows k and v have is not known.
// expect: corrected 2 in 1 kernel
#include <cmath>
#include <cstdint>

void keys_below_length(std::int64_t batch, std::int64_t n, const int *length, const __bf16 *__restrict q,
                       const __bf16 *__restrict k, const __bf16 *__restrict v, __bf16 *__restrict o) {
  for (std::int64_t b = 0; b < batch; b++)
    for (std::int64_t i = 0; i < n; i++) {
      float m = -INFINITY, l = 0, acc[64];
      for (int d = 0; d < 64; d++) acc[d] = 0;
      for (std::int64_t j = 0; j < length[b]; j++) {
        float s = 0;
        for (int d = 0; d < 64; d++) s += float(q[(b * n + i) * 64 + d]) * float(k[(b * n + j) * 64 + d]);
        m = std::fmax(m, s);
      }
      for (std::int64_t j = 0; j < length[b]; j++) {
        float s = 0;
        for (int d = 0; d < 64; d++) s += float(q[(b * n + i) * 64 + d]) * float(k[(b * n + j) * 64 + d]);
        const float w = std::exp(s - m);
        l += w;
        for (int d = 0; d < 64; d++) acc[d] += float(static_cast<__bf16>(w)) * float(v[(b * n + j) * 64 + d]);
      }
      for (int d = 0; d < 64; d++) o[(b * n + i) * 64 + d] = static_cast<__bf16>(acc[d] / l);
    }
}
