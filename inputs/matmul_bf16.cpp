// The product of an n x k matrix and a k x m matrix of __bf16, accumulated in float and rounded at the end.
// expect: corrected 0 in 1 kernel
// a, b and c are stored flat, row by row.
#include <cstdint>

void matmul_bf16(std::int64_t n, std::int64_t m, std::int64_t k, const __bf16 *a, const __bf16 *b, __bf16 *c) {
  for (std::int64_t i = 0; i < n; i++)
    for (std::int64_t j = 0; j < m; j++) {
      float sum = 0.0f;
      for (std::int64_t l = 0; l < k; l++) sum += float(a[i * k + l]) * float(b[l * m + j]);
      c[i * m + j] = static_cast<__bf16>(sum);
    }
}
