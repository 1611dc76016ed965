// A threshold whose kind is a scoped enum.
#include <cstddef>
#include <cstdint>

enum class Threshold { Binary, BinaryInv, Trunc, ToZero };

void threshold_mode(const uint8_t *src, uint8_t *dst, std::size_t n, uint8_t t, uint8_t maxval, Threshold mode) {
  for (std::size_t i = 0; i < n; ++i) {
    const uint8_t v = src[i];
    uint8_t r = 0;
    switch (mode) {
    case Threshold::Binary: r = v > t ? maxval : 0; break;
    case Threshold::BinaryInv: r = v > t ? 0 : maxval; break;
    case Threshold::Trunc: r = v > t ? t : v; break;
    case Threshold::ToZero: r = v > t ? v : 0; break;
    }
    dst[i] = r;
  }
}
