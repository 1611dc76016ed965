// Which pixel is nearest is computed in floats: the entry knows the ends, as each index goes one way.
// expect: corrected 0 in 1 kernel
#include <algorithm>
#include <cmath>

void gathered_by_float(const float *image, int w, int h, float *out, int ow, int oh) {
  for (int y = 0; y < oh; y++)
    for (int x = 0; x < ow; x++) {
      const int sx = std::min(static_cast<int>((x + 0.5f) * w / ow), w - 1);
      const int sy = std::min(static_cast<int>(std::floor((y + 0.5f) * h / oh)), h - 1);
      out[y * ow + x] = image[sy * w + sx];
    }
}
