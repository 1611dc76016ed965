// A gated layer on __bf16: the rows u / (1 + exp(-u)) * g, rounded to __bf16, times a matrix w (k x m).
// expect: corrected 0 in 1 kernel
// u, g (n x k), w and y (n x m) are stored flat, row by row.
#include <cmath>
#include <cstdint>

void matmul_prologue(std::int64_t n, std::int64_t m, std::int64_t k, const __bf16 *u, const __bf16 *g, const __bf16 *w,
                     __bf16 *y) {
  for (std::int64_t i = 0; i < n; i++)
    for (std::int64_t j = 0; j < m; j++) {
      float sum = 0.0f;
      for (std::int64_t l = 0; l < k; l++) {
        const float x = float(u[i * k + l]);
        const __bf16 gated = static_cast<__bf16>(x / (1.0f + std::exp(-x)) * float(g[i * k + l]));
        sum += float(gated) * float(w[l * m + j]);
      }
      y[i * m + j] = static_cast<__bf16>(sum);
    }
}
