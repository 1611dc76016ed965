#ifndef POLYMEND_RT_MATRIX_AT
#define POLYMEND_RT_MATRIX_AT

#include <cstdint>

namespace polymend_rt {
namespace {

/// The same for the elements from row 16 * row, column 16 * column; panels of 64 columns are `panelBytes` apart.
template <int panelBytes> __device__ __forceinline__ std::uint32_t matrixAt(std::uint32_t start, int row, int column) {
  return (start ^ static_cast<std::uint32_t>(column % 4 * 32)) +
         static_cast<std::uint32_t>(column / 4 * panelBytes + row * 2048);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_MATRIX_AT
