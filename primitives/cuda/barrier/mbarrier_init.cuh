#ifndef POLYMEND_RT_MBARRIER_INIT
#define POLYMEND_RT_MBARRIER_INIT

#include "for_warp_units.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// Prepares a barrier, 8 bytes of shared memory, whose phases end after `count` arrivals.
__device__ __forceinline__ void mbarrierInit(std::uint32_t barrier, std::uint32_t count) {
  if constexpr (forWarpUnits)
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" : : "r"(barrier), "r"(count) : "memory");
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_MBARRIER_INIT
