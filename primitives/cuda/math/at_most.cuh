#ifndef POLYMEND_RT_AT_MOST
#define POLYMEND_RT_AT_MOST

#include "for_warp_units.cuh"

namespace polymend_rt {
namespace {

/// The lesser of the two; NaN where x is NaN.
__device__ __forceinline__ float atMost(float x, float bound) {
  float result = x;
  if constexpr (forWarpUnits) asm("min.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(x), "f"(bound));
  return result;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_AT_MOST
