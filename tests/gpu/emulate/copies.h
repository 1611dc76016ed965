// Copies of boxes of arrays to shared memory, as cuTensorMapEncodeTiled describes them.
#pragma once

#include <cstdint>

namespace emulated {

/// What is kept in a CUtensorMap.
struct BoxMap {
  std::uint64_t mark;
  const char *base;
  std::uint64_t sizes[5];
  std::uint64_t strides[4]; // bytes
  std::uint16_t box[5];
  std::uint8_t rank, elementBytes, span;
};
static_assert(sizeof(BoxMap) <= 128);
constexpr std::uint64_t boxMapMark = 0x74656e736f726d70u;

} // namespace emulated
