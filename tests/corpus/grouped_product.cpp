// Rows of each range are multiplied by a matrix of their own: experts of a mixture. Ranges may be empty.
// expect: corrected 0 in 1 kernel
#include <cstdint>

#pragma polymend index monotone(offset)
void grouped_product(std::int64_t groups, std::int64_t n, std::int64_t p, const int *offset, const __bf16 *__restrict a,
                     const __bf16 *__restrict w, __bf16 *__restrict c) {
  for (std::int64_t g = 0; g < groups; g++)
    for (std::int64_t i = offset[g]; i < offset[g + 1]; i++)
      for (std::int64_t j = 0; j < n; j++) {
        float sum = 0;
        for (std::int64_t l = 0; l < p; l++) sum += float(a[i * p + l]) * float(w[(g * p + l) * n + j]);
        c[i * n + j] = static_cast<__bf16>(sum);
      }
}
