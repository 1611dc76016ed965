// Where the elements of a warpgroup product's factors and sums stand (PTX ISA, "Asynchronous Warpgroup Level Matrix
// Instructions": register fragments and shared memory matrix layout).
#pragma once

#include "block.h"
#include "products.h"

namespace emulated {

/// The fields of a matrix descriptor, in bytes.
struct Descriptor {
  std::uint32_t start, leading, stride;
  unsigned base, swizzle; // 0 none, 1: spans of 128 bytes, 2: 64, 3: 32
};
Descriptor descriptorOf(std::uint64_t bits);

/// The bytes of a span that a swizzle exchanges within: 16 where it exchanges none.
constexpr unsigned spanOf(unsigned swizzle) { return swizzle == 1 ? 128 : swizzle == 2 ? 64 : swizzle == 3 ? 32 : 16; }

/// Where a byte goes: the chunks of 16 within a span are exchanged by the number of the row of 128 bytes.
constexpr std::uint32_t swizzled(std::uint32_t address, unsigned span) {
  return address ^ ((address >> 7 & (span / 16 - 1)) << 4);
}

/// The element (line, k), k < 16, of a factor whose memory runs along k, or across where `transposed`.
std::uint32_t elementAddress(const Descriptor &matrix, bool transposed, int line, int k);

/// Row and column of sum `i` of thread `t` of a warpgroup.
struct Place {
  int row, column;
};
constexpr Place sumAt(int t, int i) {
  return {16 * (t / 32) + t % 32 / 4 + 8 * (i / 2 % 2), 8 * (i / 4) + 2 * (t % 4) + i % 2};
}
/// Row and column of half `half` of word `word` of the left factor of thread `t`.
constexpr Place leftAt(int t, int word, int half) {
  return {16 * (t / 32) + t % 32 / 4 + 8 * (word % 2), 8 * (word / 2) + 2 * (t % 4) + half};
}

float toFloat(Element element, std::uint16_t bits);

} // namespace emulated
