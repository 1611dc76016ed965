// Bilinear interpolation to another size.
#include <algorithm>
#include <cmath>

void bilinear_resize(const float *src, int sw, int sh, float *dst, int dw, int dh) {
  const float sx = (float)sw / dw, sy = (float)sh / dh;
  for (int y = 0; y < dh; ++y) {
    float fy = (y + 0.5f) * sy - 0.5f;
    int y0 = (int)std::floor(fy);
    float wy = fy - y0;
    int y1 = std::min(y0 + 1, sh - 1);
    y0 = std::max(y0, 0);
    for (int x = 0; x < dw; ++x) {
      float fx = (x + 0.5f) * sx - 0.5f;
      int x0 = (int)std::floor(fx);
      float wx = fx - x0;
      int x1 = std::min(x0 + 1, sw - 1);
      x0 = std::max(x0, 0);
      dst[y * dw + x] = (1 - wy) * ((1 - wx) * src[y0 * sw + x0] + wx * src[y0 * sw + x1]) +
                        wy * ((1 - wx) * src[y1 * sw + x0] + wx * src[y1 * sw + x1]);
    }
  }
}
