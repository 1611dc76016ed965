// The mean of nine bytes, as a byte.
// expect: corrected 0 in 1 kernels

#include <cstdint>

void bytes_blurred(const std::uint8_t *in, std::uint8_t *out, int w, int h) {
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      int sum = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) sum += in[(y + dy) * w + (x + dx)];
      out[y * w + x] = sum / 9;
    }
}
