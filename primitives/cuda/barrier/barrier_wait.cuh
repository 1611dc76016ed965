#ifndef POLYMEND_RT_BARRIER_WAIT
#define POLYMEND_RT_BARRIER_WAIT

#include "for_hopper.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// Waits for the end of the phase of that parity; the phase before the first counts as ended, with parity 1.
__device__ __forceinline__ void barrierWait(std::uint32_t barrier, std::uint32_t parity) {
  if constexpr (forHopper)
    asm volatile("{\n"
                 ".reg .pred ended;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 ended, [%0], %1;\n"
                 "@!ended bra again;\n"
                 "}"
                 :
                 : "r"(barrier), "r"(parity)
                 : "memory");
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_BARRIER_WAIT
