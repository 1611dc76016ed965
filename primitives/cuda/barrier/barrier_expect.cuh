#ifndef POLYMEND_RT_BARRIER_EXPECT
#define POLYMEND_RT_BARRIER_EXPECT

#include "for_hopper.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// Arrives, and has the phase last until `bytes` more were copied.
__device__ __forceinline__ void barrierExpect(std::uint32_t barrier, std::uint32_t bytes) {
  if constexpr (forHopper)
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" : : "r"(barrier), "r"(bytes) : "memory");
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_BARRIER_EXPECT
