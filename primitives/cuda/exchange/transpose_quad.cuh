#ifndef POLYMEND_RT_TRANSPOSE_QUAD
#define POLYMEND_RT_TRANSPOSE_QUAD

#include "swap_off_diagonal.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// Thread t of a quad gets word t of threads 0 to 3, in their order. All threads of a warp call this.
__device__ __forceinline__ uint4 transposeQuad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  swapOffDiagonal(a, b, 1);
  swapOffDiagonal(c, d, 1);
  swapOffDiagonal(a, c, 2);
  swapOffDiagonal(b, d, 2);
  return make_uint4(a, b, c, d);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_TRANSPOSE_QUAD
