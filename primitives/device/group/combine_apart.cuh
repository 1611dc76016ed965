#ifndef POLYMEND_RT_COMBINE_APART
#define POLYMEND_RT_COMBINE_APART

#include "combine_group.cuh"
#include "groups_of_block.cuh"

namespace polymend_rt {
namespace {

/// As combineGroup, where threads of a group are as far apart as a block has groups; all groups of a block call this.
template <int group, class T, class Combine>
__device__ __forceinline__ T combineApart(T value, Combine combine, int &turn) {
  constexpr int groups = groupsOfBlock<group>;
  if constexpr (groups == 1) {
    return combineGroup<group>(value, combine, turn);
  } else if constexpr (group > 1) {
    __shared__ T parts[2][group][groups];
    turn ^= 1;
    const int own = static_cast<int>(threadIdx.x % groups);
    parts[turn][threadIdx.x / groups][own] = value;
    __syncthreads();
    value = parts[turn][0][own];
    for (int i = 1; i < group; ++i) value = combine(value, parts[turn][i][own]);
  }
  return value;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_COMBINE_APART
