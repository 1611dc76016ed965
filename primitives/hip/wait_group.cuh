#ifndef POLYMEND_RT_WAIT_GROUP
#define POLYMEND_RT_WAIT_GROUP

#include "neighbour_within.cuh"

namespace polymend_rt {
namespace {

/// All threads of a group wait for one another.
template <int group> __device__ inline void waitGroup() {
  if constexpr (group > 32) {
    __syncthreads();
  } else if constexpr (group > 1) {
    __threadfence_block();
    static_cast<void>(neighbourWithin<group>(0, 1));
    __threadfence_block();
  }
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_WAIT_GROUP
