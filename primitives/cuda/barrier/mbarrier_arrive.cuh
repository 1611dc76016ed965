#ifndef POLYMEND_RT_MBARRIER_ARRIVE
#define POLYMEND_RT_MBARRIER_ARRIVE

#include "for_warp_units.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// Arrives: what this thread did before is done for whoever waits for the phase.
__device__ __forceinline__ void mbarrierArrive(std::uint32_t barrier) {
  if constexpr (forWarpUnits)
    asm volatile("{\n"
                 ".reg .b64 state;\n"
                 "mbarrier.arrive.shared.b64 state, [%0];\n"
                 "}"
                 :
                 : "r"(barrier)
                 : "memory");
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_MBARRIER_ARRIVE
