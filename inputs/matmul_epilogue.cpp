// A linear layer on __bf16: rows of x (n x k) times w (k x m), plus a bias, through the tanh form of GELU.
// expect: corrected 0 in 1 kernel
// x, w and y are stored flat, row by row; bias is [m], float.
#include <cmath>
#include <cstdint>

void matmul_epilogue(std::int64_t n, std::int64_t m, std::int64_t k, const __bf16 *x, const __bf16 *w,
                     const float *bias, __bf16 *y) {
  for (std::int64_t i = 0; i < n; i++)
    for (std::int64_t j = 0; j < m; j++) {
      float sum = 0.0f;
      for (std::int64_t l = 0; l < k; l++) sum += float(x[i * k + l]) * float(w[l * m + j]);
      const float t = sum + bias[j];
      y[i * m + j] = static_cast<__bf16>(0.5f * t * (1.0f + std::tanh(0.7978845608f * (t + 0.044715f * t * t * t))));
    }
}
