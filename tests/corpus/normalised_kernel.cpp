// Squared scores, divided by their sum: the sum and the weighted values share one pass and no matrix of scores is kept.
// expect: corrected 0

void normalised_kernel(int n, const __bf16 *q, const __bf16 *k, const __bf16 *v, __bf16 *o) {
  for (int i = 0; i < n; i++) {
    float p[512], l = 0;
    for (int j = 0; j <= i; j++) {
      float t = 0;
      for (int e = 0; e < 64; e++) t += (float)q[i * 64 + e] * (float)k[j * 64 + e];
      p[j] = (t * 0.125f + 1.0f) * (t * 0.125f + 1.0f);
      l += p[j];
    }
    for (int e = 0; e < 64; e++) {
      float a = 0;
      for (int j = 0; j <= i; j++) a += (float)(__bf16)p[j] * (float)v[j * 64 + e];
      o[i * 64 + e] = (__bf16)(a / l);
    }
  }
}
