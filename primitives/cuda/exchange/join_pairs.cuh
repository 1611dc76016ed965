#ifndef POLYMEND_RT_JOIN_PAIRS
#define POLYMEND_RT_JOIN_PAIRS

#include "swap_off_diagonal.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// A thread of an even number gets its own first pair and its right neighbour's, one of an odd number its left
/// neighbour's second pair and its own. All threads of a warp call this.
__device__ __forceinline__ uint4 joinPairs(float firstLow, float firstHigh, float secondLow, float secondHigh) {
  std::uint32_t words[4] = {__float_as_uint(firstLow), __float_as_uint(firstHigh), __float_as_uint(secondLow),
                            __float_as_uint(secondHigh)};
  swapOffDiagonal(words[0], words[2], 1);
  swapOffDiagonal(words[1], words[3], 1);
  return make_uint4(words[0], words[1], words[2], words[3]);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_JOIN_PAIRS
