// Bytes above a level as bits, 32 of them in a word: the last word may have fewer.
// expect: kept: 'v' is a recurrence that is no reduction
#include <cstddef>
#include <cstdint>

void bits_packed(const std::uint8_t *grey, std::size_t count, std::uint8_t level, std::uint32_t *out) {
  for (std::size_t w = 0; w < (count + 31) / 32; ++w) {
    std::uint32_t v = 0;
    for (unsigned b = 0; b < 32 && w * 32 + b < count; ++b)
      if (grey[w * 32 + b] > level) v |= 1u << b;
    out[w] = v;
  }
}
