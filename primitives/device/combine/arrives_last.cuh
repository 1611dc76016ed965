#ifndef POLYMEND_RT_ARRIVES_LAST
#define POLYMEND_RT_ARRIVES_LAST

#include "combine_group.cuh"
#include "maximum.cuh"
#include "wait_group.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// Whether this group is the last of `count` to come here: it sees all that the others wrote before they came. A
/// barrier of the group. `arrived` is zero before the launch.
template <int group>
__device__ __forceinline__ bool arrivesLast(std::uint32_t *arrived, std::uint32_t count, int &turn) {
  __threadfence();
  waitGroup<group>();
  const std::uint32_t before = threadIdx.x % group == 0 ? atomicAdd(arrived, 1u) : 0;
  const bool isLast = combineGroup<group>(before, Maximum(), turn) == count - 1;
  if (isLast) __threadfence();
  return isLast;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_ARRIVES_LAST
