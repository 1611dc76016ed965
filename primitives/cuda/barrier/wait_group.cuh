#ifndef POLYMEND_RT_WAIT_GROUP
#define POLYMEND_RT_WAIT_GROUP

#include "lanes_of.cuh"

namespace polymend_rt {
namespace {

/// All threads of a group wait for one another.
template <int group> __device__ inline void waitGroup() {
  if constexpr (group > 32)
    __syncthreads();
  else
    __syncwarp(lanesOf<group>());
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_WAIT_GROUP
