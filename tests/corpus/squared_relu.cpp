// Squares of positive scores weigh the values seen so far: nothing to correct, but a mask that products must respect.
// expect: corrected 0

void squared_relu(int n, const __bf16 *q, const __bf16 *k, const __bf16 *v, __bf16 *o) {
  for (int i = 0; i < n; i++)
    for (int e = 0; e < 64; e++) {
      float a = 0;
      for (int j = 0; j <= i; j++) {
        float t = 0;
        for (int d = 0; d < 64; d++) t += (float)q[i * 64 + d] * (float)k[j * 64 + d];
        const float r = t > 0 ? t : 0.0f;
        a += (float)(__bf16)(r * r * 0.001f) * (float)v[j * 64 + e];
      }
      o[i * 64 + e] = (__bf16)a;
    }
}
