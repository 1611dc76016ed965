// A layer whose weights are scaled to rows of length 1 first, each with a gain: the factor on the right is computed.
// expect: corrected 1
#include <cmath>

void unit_weights(int n, int m, int k, const __bf16 *x, const float *w, const float *gain, __bf16 *y) {
  for (int j = 0; j < m; j++) {
    float square = 0;
    for (int p = 0; p < k; p++) square += w[j * k + p] * w[j * k + p];
    const float scale = gain[j] / std::sqrt(square + 1e-6f);
    for (int i = 0; i < n; i++) {
      float sum = 0;
      for (int p = 0; p < k; p++) sum += (float)x[i * k + p] * (float)(__bf16)(w[j * k + p] * scale);
      y[i * m + j] = (__bf16)sum;
    }
  }
}
