#ifndef POLYMEND_RT_RECIPROCAL
#define POLYMEND_RT_RECIPROCAL

namespace polymend_rt {
namespace {

/// 1 / x within 1 ulp; denormal arguments and results count as zero; reciprocal(0) = inf, reciprocal(inf) = 0.
__device__ __forceinline__ float reciprocal(float x) {
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_RECIPROCAL
