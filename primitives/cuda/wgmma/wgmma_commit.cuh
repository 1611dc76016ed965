#ifndef POLYMEND_RT_WGMMA_COMMIT
#define POLYMEND_RT_WGMMA_COMMIT

#include "for_hopper.cuh"

namespace polymend_rt {
namespace {

/// Closes a group of products.
__device__ __forceinline__ void wgmmaCommit() {
  if constexpr (forHopper) asm volatile("wgmma.commit_group.sync.aligned;" : : : "memory");
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_WGMMA_COMMIT
