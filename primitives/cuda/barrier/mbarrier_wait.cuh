#ifndef POLYMEND_RT_MBARRIER_WAIT
#define POLYMEND_RT_MBARRIER_WAIT

#include "for_warp_units.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// Waits for the end of the phase of that parity; the phase before the first counts as ended, with parity 1.
__device__ __forceinline__ void mbarrierWait(std::uint32_t barrier, std::uint32_t parity) {
  if constexpr (forWarpUnits)
    asm volatile("{\n"
                 ".reg .pred ended;\n"
                 "again:\n"
                 "mbarrier.test_wait.parity.shared.b64 ended, [%0], %1;\n"
                 "@!ended bra again;\n"
                 "}"
                 :
                 : "r"(barrier), "r"(parity)
                 : "memory");
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_MBARRIER_WAIT
