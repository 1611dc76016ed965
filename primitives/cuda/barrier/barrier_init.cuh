#ifndef POLYMEND_RT_BARRIER_INIT
#define POLYMEND_RT_BARRIER_INIT

#include "for_hopper.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// Prepares a barrier, 8 bytes of shared memory, whose phases end after `count` arrivals and all the bytes expected.
__device__ __forceinline__ void barrierInit(std::uint32_t barrier, std::uint32_t count) {
  if constexpr (forHopper)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" : : "r"(barrier), "r"(count) : "memory");
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_BARRIER_INIT
