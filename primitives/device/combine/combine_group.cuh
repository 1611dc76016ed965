#ifndef POLYMEND_RT_COMBINE_GROUP
#define POLYMEND_RT_COMBINE_GROUP

#include "combine_lanes.cuh"
#include "combine_within.cuh"

namespace polymend_rt {
namespace {

/// Combines the values of a group's threads; each of them gets the same result. A barrier of the group. `turn` is the
/// group's own: two buffers take turns, so that nobody overwrites what another still reads.
template <int group, class T, class Combine>
__device__ __forceinline__ T combineGroup(T value, Combine combine, int &turn) {
  if constexpr (group < 32) return combineWithin<group>(value, combine);
  value = combineLanes<32>(value, combine);
  if constexpr (group > 32) {
    __shared__ T parts[2][group / 32];
    turn ^= 1;
    if (threadIdx.x % 32 == 0) parts[turn][threadIdx.x / 32] = value;
    __syncthreads();
    value = parts[turn][0];
    for (int i = 1; i < group / 32; ++i) value = combine(value, parts[turn][i]);
  }
  return value;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_COMBINE_GROUP
