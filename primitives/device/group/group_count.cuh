#ifndef POLYMEND_RT_GROUP_COUNT
#define POLYMEND_RT_GROUP_COUNT

#include "group_threads.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// The number of groups in the launch.
template <int group> __device__ inline std::int64_t groupCount() {
  return gridDim.x * std::int64_t{groupThreads(group) / group};
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_GROUP_COUNT
