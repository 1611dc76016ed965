#ifndef POLYMEND_RT_FROM_COLUMN
#define POLYMEND_RT_FROM_COLUMN

#include <cstdint>

namespace polymend_rt {
namespace {

/// Where a share of a tile stands that begins `column` columns further on: a multiple of 8 below the one to which
/// columns are counted from there.
template <int elementBytes, int panelBytes>
__device__ __forceinline__ std::uint32_t fromColumn(std::uint32_t start, int column) {
  constexpr int panel = 128 / elementBytes;
  return (start ^ static_cast<std::uint32_t>(column % panel * elementBytes)) +
         static_cast<std::uint32_t>(column / panel * panelBytes);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_FROM_COLUMN
