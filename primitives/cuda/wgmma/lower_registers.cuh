#ifndef POLYMEND_RT_LOWER_REGISTERS
#define POLYMEND_RT_LOWER_REGISTERS

#include "for_hopper.cuh"

namespace polymend_rt {
namespace {

/// All warps of a warpgroup keep `count` registers a thread.
template <int count> __device__ __forceinline__ void lowerRegisters() {
  static_assert(24 <= count && count <= 256 && count % 8 == 0, "registers of a thread");
  if constexpr (forHopper) asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" : : "n"(count));
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_LOWER_REGISTERS
