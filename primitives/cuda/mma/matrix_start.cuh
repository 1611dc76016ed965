#ifndef POLYMEND_RT_MATRIX_START
#define POLYMEND_RT_MATRIX_START

#include <cstdint>

namespace polymend_rt {
namespace {

/// Where this thread's row of the first 16 x 16 elements of a tile stands, for loadMatrix; `rowsFirst`: of its four
/// matrices of 8 x 8 the second is below the first, else beside it.
template <bool rowsFirst> __device__ __forceinline__ std::uint32_t matrixStart(std::uint32_t tile) {
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t row = rowsFirst ? lane % 16 : lane % 8 + lane / 16 * 8;
  const std::uint32_t chunk = rowsFirst ? lane / 16 : lane / 8 % 2;
  return tile + row * 128 + ((chunk ^ row) & 7) * 16;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_MATRIX_START
