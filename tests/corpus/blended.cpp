// A function that returns early, and behind that runs a loop over the channels of a colour.
// expect: kept: is a recurrence that is no reduction; left: nothing gained
#include <cstdint>

static std::uint32_t over(std::uint32_t src, std::uint32_t dst) {
  const std::uint32_t a = src >> 24;
  if (a == 0) return dst;
  if (a == 255) return src;
  std::uint32_t out = 0xff000000u;
  for (int shift = 0; shift < 24; shift += 8) {
    const std::uint32_t s = (src >> shift) & 0xff, d = (dst >> shift) & 0xff;
    out |= ((s * a + d * (255 - a)) / 255) << shift;
  }
  return out;
}

void blended(std::uint32_t *dst, const std::uint32_t *src, int n) {
  for (int i = 0; i < n; i++) dst[i] = over(src[i], dst[i]);
}
