// ggml's RMS norm: strides in bytes, rows found by casts.
// left on cuda: unsupported type 'void *'
#include <cmath>
#include <cstddef>
#include <cstdint>

void ggml_rms_norm(void *dst, const void *src, int64_t ne00, int64_t ne01, size_t nb01, size_t nb1, float eps) {
  for (int64_t i01 = 0; i01 < ne01; i01++) {
    const float *x = (const float *)((const char *)src + i01 * nb01);
    double sum = 0.0;
    for (int64_t i00 = 0; i00 < ne00; i00++) {
      sum += (double)(x[i00] * x[i00]);
    }
    const float mean = sum / ne00;
    const float scale = 1.0f / sqrtf(mean + eps);
    float *y = (float *)((char *)dst + i01 * nb1);
    for (int64_t i00 = 0; i00 < ne00; i00++) {
      y[i00] = x[i00] * scale;
    }
  }
}
