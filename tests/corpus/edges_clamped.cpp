// A helper moves what it is given to the nearest element there is.
// expect: corrected 0
#include <algorithm>

static float nearest(const float *image, int w, int h, int x, int y) {
  x = std::clamp(x, 0, w - 1);
  y = std::min(std::max(y, 0), h - 1);
  return image[y * w + x];
}

void edges_clamped(const float *image, float *out, int w, int h) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      out[y * w + x] = nearest(image, w, h, x - 1, y) + nearest(image, w, h, x + 1, y) -
                       nearest(image, w, h, x, y - 1) - nearest(image, w, h, x, y + 1);
}
