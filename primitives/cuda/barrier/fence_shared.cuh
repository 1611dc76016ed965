#ifndef POLYMEND_RT_FENCE_SHARED
#define POLYMEND_RT_FENCE_SHARED

#include "for_hopper.cuh"

namespace polymend_rt {
namespace {

/// Shows this thread's own stores to shared memory to warpgroup products and the copy engine, after a barrier.
__device__ __forceinline__ void fenceShared() {
  if constexpr (forHopper) asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_FENCE_SHARED
