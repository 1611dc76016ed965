// Products of quantised rows, summed as integers within a group (llama2.c).
#include <stdint.h>

struct QuantizedTensor {
  int8_t *q;
  float *s;
};

void vec_dot_q8(float *xout, const QuantizedTensor *x, const QuantizedTensor *w, int n, int d, int GS) {
  for (int i = 0; i < d; i++) {
    float val = 0.0f;
    int in = i * n;
    for (int j = 0; j <= n - GS; j += GS) {
      int32_t ival = 0;
      for (int k = 0; k < GS; k++) {
        ival += ((int32_t)x->q[j + k]) * ((int32_t)w->q[in + j + k]);
      }
      val += ((float)ival) * w->s[(in + j) / GS] * x->s[j / GS];
    }
    xout[i] = val;
  }
}
