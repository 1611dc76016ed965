// Bytes in HWC order to normalised floats in CHW order.
#include <array>
#include <cstdint>

void hwc_to_chw(const std::uint8_t *img, float *out, int h, int w, const std::array<float, 3> &mean,
                const std::array<float, 3> &stddev) {
  for (int c = 0; c < 3; ++c)
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x)
        out[c * h * w + y * w + x] = (img[(y * w + x) * 3 + c] / 255.0f - mean[c]) / stddev[c];
}
