// A delay line whose length is a power of two.
#include <cstdint>

void ring_delay(const float *in, float *out, const float *line, uint32_t n, uint32_t head, float mix) {
  for (uint32_t i = 0; i < n; ++i) out[i] = in[i] + mix * line[(head + i) & 1023];
}
