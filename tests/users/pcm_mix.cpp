// 16-bit samples mixed with saturation.
#include <algorithm>
#include <cstdint>

void pcm_mix(const int16_t *a, const int16_t *b, int16_t *out, size_t n) {
  for (size_t i = 0; i < n; i++) {
    int32_t s = static_cast<int32_t>(a[i]) + static_cast<int32_t>(b[i]);
    out[i] = static_cast<int16_t>(std::clamp<int32_t>(s, INT16_MIN, INT16_MAX));
  }
}
