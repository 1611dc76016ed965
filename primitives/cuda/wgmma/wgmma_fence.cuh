#ifndef POLYMEND_RT_WGMMA_FENCE
#define POLYMEND_RT_WGMMA_FENCE

#include "for_hopper.cuh"

namespace polymend_rt {
namespace {

/// Before the first product of a group: orders it after all that touched its registers.
__device__ __forceinline__ void wgmmaFence() {
  if constexpr (forHopper) asm volatile("wgmma.fence.sync.aligned;" : : : "memory");
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_WGMMA_FENCE
