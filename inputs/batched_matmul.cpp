// Independent __bf16 products, one for each of `batch` pairs of an n x k and a k x m matrix.
// expect: corrected 0 in 1 kernel
// a is [batch][n][k], b is [batch][k][m], c is [batch][n][m], stored flat.
#include <cstdint>

void batched_matmul(std::int64_t batch, std::int64_t n, std::int64_t m, std::int64_t k, const __bf16 *a,
                    const __bf16 *b, __bf16 *c) {
  for (std::int64_t p = 0; p < batch; p++)
    for (std::int64_t i = 0; i < n; i++)
      for (std::int64_t j = 0; j < m; j++) {
        float sum = 0.0f;
        for (std::int64_t l = 0; l < k; l++) sum += float(a[(p * n + i) * k + l]) * float(b[(p * k + l) * m + j]);
        c[(p * n + i) * m + j] = static_cast<__bf16>(sum);
      }
}
