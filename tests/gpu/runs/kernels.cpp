// Rows in ranges of data on matrix units: products of groups, attention of sequences that follow one another.
#include <cmath>
#include <cstdint>

#pragma polymend index monotone(offset)
void grouped(std::int64_t groups, std::int64_t n, std::int64_t kk, const int *offset, const __bf16 *__restrict a,
             const __bf16 *__restrict w, __bf16 *__restrict c) {
  for (std::int64_t g = 0; g < groups; g++)
    for (std::int64_t i = offset[g]; i < offset[g + 1]; i++)
      for (std::int64_t j = 0; j < n; j++) {
        float sum = 0;
        for (std::int64_t k = 0; k < kk; k++) sum += float(a[i * kk + k]) * float(w[(g * kk + k) * n + j]);
        c[i * n + j] = static_cast<__bf16>(sum);
      }
}

void undeclared(std::int64_t groups, std::int64_t n, std::int64_t kk, const int *offset, const __bf16 *__restrict a,
                const __bf16 *__restrict w, __bf16 *__restrict c) {
  for (std::int64_t g = 0; g < groups; g++)
    for (std::int64_t i = offset[g]; i < offset[g + 1]; i++)
      for (std::int64_t j = 0; j < n; j++) {
        float sum = 0;
        for (std::int64_t k = 0; k < kk; k++) sum += float(a[i * kk + k]) * float(w[(g * n + j) * kk + k]);
        c[i * n + j] = static_cast<__bf16>(sum);
      }
}

#pragma polymend index monotone(start)
void causal(std::int64_t batch, std::int64_t heads, std::int64_t dim, const int *start, const __bf16 *__restrict q,
            const __bf16 *__restrict kv, __bf16 *__restrict o) {
  for (std::int64_t b = 0; b < batch; b++)
    for (int h = 0; h < 2; h++)
      for (std::int64_t i = start[b]; i < start[b + 1]; i++) {
        float m = -INFINITY, l = 0, acc[64];
        for (int d = 0; d < 64; d++) acc[d] = 0;
        for (std::int64_t j = start[b]; j <= i; j++) {
          float dot = 0;
          for (int d = 0; d < 64; d++) dot += float(q[(i * 2 + h) * 64 + d]) * float(kv[(j * 4 + h) * 64 + d]);
          m = std::fmax(m, dot * 0.125f);
        }
        for (std::int64_t j = start[b]; j <= i; j++) {
          float dot = 0;
          for (int d = 0; d < 64; d++) dot += float(q[(i * 2 + h) * 64 + d]) * float(kv[(j * 4 + h) * 64 + d]);
          const float weight = std::exp(dot * 0.125f - m);
          l += weight;
          for (int d = 0; d < 64; d++)
            acc[d] += float(static_cast<__bf16>(weight)) * float(kv[(j * 4 + 2 + h) * 64 + d]);
        }
        for (int d = 0; d < 64; d++) o[(i * 2 + h) * 64 + d] = static_cast<__bf16>(acc[d] / l);
      }
}

#pragma polymend index monotone(start)
void whole(std::int64_t batch, std::int64_t heads, std::int64_t dim, const int *start, const __bf16 *__restrict q,
           const __bf16 *__restrict kv, __bf16 *__restrict o) {
  for (std::int64_t b = 0; b < batch; b++)
    for (int h = 0; h < 2; h++)
      for (std::int64_t i = start[b]; i < start[b + 1]; i++) {
        float m = -INFINITY, l = 0, acc[64];
        for (int d = 0; d < 64; d++) acc[d] = 0;
        for (std::int64_t j = start[b]; j < start[b + 1]; j++) {
          float dot = 0;
          for (int d = 0; d < 64; d++) dot += float(q[(i * 2 + h) * 64 + d]) * float(kv[(j * 4 + h) * 64 + d]);
          m = std::fmax(m, dot * 0.125f);
        }
        for (std::int64_t j = start[b]; j < start[b + 1]; j++) {
          float dot = 0;
          for (int d = 0; d < 64; d++) dot += float(q[(i * 2 + h) * 64 + d]) * float(kv[(j * 4 + h) * 64 + d]);
          const float weight = std::exp(dot * 0.125f - m);
          l += weight;
          for (int d = 0; d < 64; d++)
            acc[d] += float(static_cast<__bf16>(weight)) * float(kv[(j * 4 + 2 + h) * 64 + d]);
        }
        for (int d = 0; d < 64; d++) o[(i * 2 + h) * 64 + d] = static_cast<__bf16>(acc[d] / l);
      }
}
