#ifndef POLYMEND_RT_GROUP_NUMBER
#define POLYMEND_RT_GROUP_NUMBER

#include "group_threads.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// The number of this thread's group in the launch.
template <int group> __device__ inline std::int64_t groupNumber() {
  return blockIdx.x * std::int64_t{groupThreads(group) / group} + threadIdx.x / group;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_GROUP_NUMBER
