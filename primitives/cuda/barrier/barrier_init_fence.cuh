#ifndef POLYMEND_RT_BARRIER_INIT_FENCE
#define POLYMEND_RT_BARRIER_INIT_FENCE

#include "for_hopper.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// Shows prepared barriers to the copy engine; a block-wide barrier shows them to the other threads.
__device__ __forceinline__ void barrierInitFence() {
  if constexpr (forHopper) asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_BARRIER_INIT_FENCE
