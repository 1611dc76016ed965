// A product with weights that are stored as int and rounded to __bf16: x [m][k], w [k][n], scale [n], y [m][n], flat.
#include <cstdint>

void wide_weights(std::int64_t m, std::int64_t n, std::int64_t k, const __bf16 *x, const int *w, const float *scale,
                  __bf16 *y) {
  for (std::int64_t i = 0; i < m; i++)
    for (std::int64_t j = 0; j < n; j++) {
      float sum = 0.0f;
      for (std::int64_t p = 0; p < k; p++)
        sum += static_cast<float>(x[i * k + p]) *
               static_cast<float>(static_cast<__bf16>(static_cast<float>(w[p * n + j])));
      y[i * n + j] = static_cast<__bf16>(sum * scale[j]);
    }
}
