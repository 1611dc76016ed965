#ifndef POLYMEND_RT_LOAD_SHARE
#define POLYMEND_RT_LOAD_SHARE

#include "load_elements.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// This thread's share of 8 x 8 elements of a tile, or of their transpose: elements (lane / 4, 2 * (lane % 4)) and its
/// right neighbour. The block begins at row 8 * row, column 8 * column of the tile as it stands; its panels are
/// `panelBytes` apart.
template <bool across, int panelBytes, class Element>
__device__ __forceinline__ void loadShare(Element &first, Element &second, std::uint32_t start, int row, int column) {
  constexpr int blocks = 16 / static_cast<int>(sizeof(Element)); // of 8 columns, in a panel
  const std::uint32_t turn = static_cast<std::uint32_t>(column % blocks * (128 / blocks));
  const std::uint32_t far = static_cast<std::uint32_t>(column / blocks * panelBytes + row * 1024);
  if constexpr (across) {
    loadElements((start ^ turn) + far, first);
    loadElements((start ^ turn ^ 80) + far + 128, second);
  } else {
    loadElements((start ^ turn) + far, first, second);
  }
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_LOAD_SHARE
