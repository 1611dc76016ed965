// The loss of a linear classifier: a row of logits, the logarithm of its sum of exponentials, minus the target's logit.
// expect: corrected 1 in 1 kernel
// x is [n][64], w is [classes][64], both flat; t[i] in [0, classes) is the target of row i; classes is at most 4096.
#include <cmath>

void linear_cross_entropy_bf16(int n, int classes, const __bf16 *x, const __bf16 *w, const int *t, float *loss) {
  for (int i = 0; i < n; i++) {
    float z[4096];
    for (int c = 0; c < classes; c++) {
      z[c] = 0.0f;
      for (int e = 0; e < 64; e++) z[c] += float(x[i * 64 + e]) * float(w[c * 64 + e]);
    }
    float m = -INFINITY;
    for (int c = 0; c < classes; c++) m = std::fmax(m, z[c]);
    float sum = 0.0f;
    for (int c = 0; c < classes; c++) sum += std::exp(z[c] - m);
    loss[i] = m + std::log(sum) - z[t[i]];
  }
}
