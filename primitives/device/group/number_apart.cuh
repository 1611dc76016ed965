#ifndef POLYMEND_RT_NUMBER_APART
#define POLYMEND_RT_NUMBER_APART

#include "groups_of_block.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// The number of this thread's group in the launch, where threads of a group are as far apart as a block has groups.
template <int group> __device__ inline std::int64_t numberApart() {
  return blockIdx.x * std::int64_t{groupsOfBlock<group>} + threadIdx.x % groupsOfBlock<group>;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_NUMBER_APART
