// Squashed scores weigh the values seen so far, without a normaliser: weights of either sign, from scores of any size.
// expect: corrected 0
#include <cmath>

void tanh_weights(int n, const __bf16 *x, const __bf16 *y, const __bf16 *w, __bf16 *out) {
  for (int i = 0; i < n; i++)
    for (int e = 0; e < 64; e++) {
      float sum = 0;
      for (int j = 0; j <= i; j++) {
        float score = 0;
        for (int d = 0; d < 64; d++) score += (float)x[i * 64 + d] * (float)y[j * 64 + d];
        sum += (float)(__bf16)std::tanh(score) * (float)w[j * 64 + e];
      }
      out[i * 64 + e] = (__bf16)sum;
    }
}
