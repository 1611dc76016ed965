// The least of nine neighbours.
#include <algorithm>
#include <cstdint>

void erode_3x3(const uint8_t *in, uint8_t *out, int w, int h, int stride) {
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      const uint8_t *p = in + y * stride + x;
      out[y * stride + x] = std::min(
          {p[-stride - 1], p[-stride], p[-stride + 1], p[-1], p[0], p[1], p[stride - 1], p[stride], p[stride + 1]});
    }
}
