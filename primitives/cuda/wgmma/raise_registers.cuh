#ifndef POLYMEND_RT_RAISE_REGISTERS
#define POLYMEND_RT_RAISE_REGISTERS

#include "for_hopper.cuh"

namespace polymend_rt {
namespace {

/// All warps of a warpgroup ask for `count` registers a thread, and wait for others to give some up. The kernel needs
/// __launch_bounds__(threads, 1).
template <int count> __device__ __forceinline__ void raiseRegisters() {
  static_assert(24 <= count && count <= 256 && count % 8 == 0, "registers of a thread");
  if constexpr (forHopper) asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" : : "n"(count));
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_RAISE_REGISTERS
