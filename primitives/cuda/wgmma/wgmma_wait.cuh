#ifndef POLYMEND_RT_WGMMA_WAIT
#define POLYMEND_RT_WGMMA_WAIT

#include "for_hopper.cuh"

namespace polymend_rt {
namespace {

/// Waits until at most `pending` of the warpgroup's youngest groups are unfinished.
template <int pending> __device__ __forceinline__ void wgmmaWait() {
  if constexpr (forHopper) asm volatile("wgmma.wait_group.sync.aligned %0;" : : "n"(pending) : "memory");
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_WGMMA_WAIT
