#ifndef POLYMEND_RT_MATRIX_K
#define POLYMEND_RT_MATRIX_K

#include "swizzled_matrix.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// A panel [rows][64] whose rows run along the sum. Add 2 for each step of 16 of the sum within the panel.
__device__ __forceinline__ std::uint64_t matrixK(std::uint32_t address) { return swizzledMatrix(address, 16); }

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_MATRIX_K
