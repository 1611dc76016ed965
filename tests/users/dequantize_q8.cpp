// Blocks of 32 signed bytes with a scale each, back to floats.
#include <stdint.h>

void dequantize_q8(const int8_t *q, const float *s, float *x, int n) {
  const int group_size = 32;
  for (int i = 0; i < n; i++) {
    x[i] = q[i] * s[i / group_size];
  }
}
