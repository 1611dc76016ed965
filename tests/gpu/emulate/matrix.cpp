// The layouts of the PTX ISA in units of eight 16-bit elements: along k eight lines make an atom, spans swizzled within
// 1024, 512 or 256 bytes, atoms `stride` apart; across k an atom is a span of lines by eight steps of k, spans
// `leading` apart and groups of eight steps `stride` apart; without a swizzle atoms are 8 x 16 bytes.
#include "matrix.h"

#include <bit>
#include <cstring>

namespace emulated {

Descriptor descriptorOf(std::uint64_t bits) {
  const auto field = [bits](int at) { return static_cast<std::uint32_t>(bits >> at & 0x3fff) << 4; };
  return {field(0), field(16), field(32), static_cast<unsigned>(bits >> 49 & 7), static_cast<unsigned>(bits >> 62)};
}

std::uint32_t elementAddress(const Descriptor &matrix, bool transposed, int line, int k) {
  const auto l = static_cast<std::uint32_t>(line), s = static_cast<std::uint32_t>(k);
  const std::uint32_t span = spanOf(matrix.swizzle), wide = span / 2;
  std::uint32_t offset = 0;
  if (!transposed && matrix.swizzle != 0) offset = l / 8 * matrix.stride + l % 8 * span + s * 2;
  if (!transposed && matrix.swizzle == 0)
    offset = l / 8 * matrix.stride + l % 8 * 16 + s / 8 * matrix.leading + s % 8 * 2;
  if (transposed && matrix.swizzle != 0)
    offset = l / wide * matrix.leading + l % wide * 2 + s / 8 * matrix.stride + s % 8 * span;
  if (transposed && matrix.swizzle == 0)
    offset = l / 8 * matrix.stride + l % 8 * 2 + s / 8 * matrix.leading + s % 8 * 16;
  return swizzled(matrix.start + offset, span);
}

float toFloat(Element element, std::uint16_t bits) {
  if (element == Element::bf16) return std::bit_cast<float>(std::uint32_t{bits} << 16);
  return static_cast<float>(std::bit_cast<_Float16>(bits));
}

} // namespace emulated
