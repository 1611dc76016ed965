// Pixels as structures, one laid over another.
#include <cstddef>
#include <cstdint>
#include <vector>
using std::size_t;

struct Pixel {
  uint8_t r, g, b, a;
};

void alpha_blend(std::vector<Pixel> &dst, const std::vector<Pixel> &src) {
  for (size_t i = 0; i < dst.size(); ++i) {
    const int a = src[i].a, ia = 255 - a;
    dst[i].r = (src[i].r * a + dst[i].r * ia) / 255;
    dst[i].g = (src[i].g * a + dst[i].g * ia) / 255;
    dst[i].b = (src[i].b * a + dst[i].b * ia) / 255;
  }
}
