#ifndef POLYMEND_RT_MATRIX_N
#define POLYMEND_RT_MATRIX_N

#include "swizzled_matrix.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// Panels [sum][64] whose rows run across the sum: a transposed operand. Add 128 for each step of 16 of the sum.
__device__ __forceinline__ std::uint64_t matrixN(std::uint32_t address, std::uint32_t panelBytes) {
  return swizzledMatrix(address, panelBytes);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_MATRIX_N
