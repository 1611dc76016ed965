// Planar YUV 4:2:0 to packed RGB with saturation by a helper.
#include <cstdint>

static inline uint8_t clip(int v) { return v < 0 ? 0 : (v > 255 ? 255 : v); }

void yuv_to_rgb(const uint8_t *yp, const uint8_t *up, const uint8_t *vp, uint8_t *rgb, int width, int height) {
  for (int j = 0; j < height; j++) {
    for (int i = 0; i < width; i++) {
      int y = yp[j * width + i] - 16;
      int u = up[(j >> 1) * (width >> 1) + (i >> 1)] - 128;
      int v = vp[(j >> 1) * (width >> 1) + (i >> 1)] - 128;
      uint8_t *o = rgb + 3 * (j * width + i);
      o[0] = clip((298 * y + 409 * v + 128) >> 8);
      o[1] = clip((298 * y - 100 * u - 208 * v + 128) >> 8);
      o[2] = clip((298 * y + 516 * u + 128) >> 8);
    }
  }
}
