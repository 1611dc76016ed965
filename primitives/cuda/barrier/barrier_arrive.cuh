#ifndef POLYMEND_RT_BARRIER_ARRIVE
#define POLYMEND_RT_BARRIER_ARRIVE

#include "for_hopper.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// Arrives: what this thread did before is done for whoever waits for the phase.
__device__ __forceinline__ void barrierArrive(std::uint32_t barrier) {
  if constexpr (forHopper) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" : : "r"(barrier) : "memory");
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_BARRIER_ARRIVE
