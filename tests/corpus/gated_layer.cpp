// Two products of the same rows meet in one element-wise result.
// expect: corrected 0
#include <cmath>

void gated_layer(int m, int n, int k, const __bf16 *x, const __bf16 *w1, const __bf16 *w3, __bf16 *y) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float a = 0, b = 0;
      for (int p = 0; p < k; p++) {
        a += (float)x[i * k + p] * (float)w1[p * n + j];
        b += (float)x[i * k + p] * (float)w3[p * n + j];
      }
      y[i * n + j] = (__bf16)(a / (1.0f + std::exp(-a)) * b);
    }
}
