#ifndef POLYMEND_RT_ROUND_FACTOR
#define POLYMEND_RT_ROUND_FACTOR

#include "for_warp_units.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// The number rounded to tf32, nearest, ties away from zero, as float.
__device__ __forceinline__ float roundFactor(float x) {
  std::uint32_t bits = 0;
  if constexpr (forWarpUnits) asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return __uint_as_float(bits);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_ROUND_FACTOR
