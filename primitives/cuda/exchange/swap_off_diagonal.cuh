#ifndef POLYMEND_RT_SWAP_OFF_DIAGONAL
#define POLYMEND_RT_SWAP_OFF_DIAGONAL

#include "neighbour.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// A thread and its neighbour at `distance`, a power of two, swap the values off the diagonal: (upper, lower) of the
/// lower-numbered thread are the first row of a 2 x 2 matrix, those of the other the second.
__device__ __forceinline__ void swapOffDiagonal(std::uint32_t &upper, std::uint32_t &lower, int distance) {
  const bool first = (threadIdx.x & distance) == 0;
  const std::uint32_t received = neighbour(first ? lower : upper, distance);
  upper = first ? upper : received;
  lower = first ? received : lower;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_SWAP_OFF_DIAGONAL
