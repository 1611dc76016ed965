// Floats to signed bytes, a scale for each group.
#include <math.h>
#include <stdint.h>

void quantize_q8(int8_t *q, float *s, const float *x, int n, int group_size) {
  int num_groups = n / group_size;
  float Q_MAX = 127.0f;
  for (int group = 0; group < num_groups; group++) {
    float wmax = 0.0;
    for (int i = 0; i < group_size; i++) {
      float val = fabs(x[group * group_size + i]);
      if (val > wmax) {
        wmax = val;
      }
    }
    float scale = wmax / Q_MAX;
    s[group] = scale;
    for (int i = 0; i < group_size; i++) {
      float quant_value = x[group * group_size + i] / scale;
      int8_t quantized = (int8_t)round(quant_value);
      q[group * group_size + i] = quantized;
    }
  }
}
