// Colours to grey by integer weights.
#include <cstdint>

void rgb_to_gray(const uint8_t *rgb, uint8_t *gray, int width, int height) {
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const uint8_t *p = rgb + (y * width + x) * 3;
      gray[y * width + x] = (uint8_t)((p[0] * 77 + p[1] * 150 + p[2] * 29) >> 8);
    }
  }
}
