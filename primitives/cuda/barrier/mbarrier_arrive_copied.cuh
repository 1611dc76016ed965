#ifndef POLYMEND_RT_MBARRIER_ARRIVE_COPIED
#define POLYMEND_RT_MBARRIER_ARRIVE_COPIED

#include "for_warp_units.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// Arrives once the copies that this thread started are done.
__device__ __forceinline__ void mbarrierArriveCopied(std::uint32_t barrier) {
  if constexpr (forWarpUnits)
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" : : "r"(barrier) : "memory");
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_MBARRIER_ARRIVE_COPIED
