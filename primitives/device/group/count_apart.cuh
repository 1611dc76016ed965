#ifndef POLYMEND_RT_COUNT_APART
#define POLYMEND_RT_COUNT_APART

#include "groups_of_block.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// The number of groups in the launch, where they stand apart.
template <int group> __device__ inline std::int64_t countApart() {
  return gridDim.x * std::int64_t{groupsOfBlock<group>};
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_COUNT_APART
