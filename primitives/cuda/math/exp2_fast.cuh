#ifndef POLYMEND_RT_EXP2_FAST
#define POLYMEND_RT_EXP2_FAST

namespace polymend_rt {
namespace {

/// 2^x within 2.1 ulp (all arguments tried on sm_90); denormal arguments and results count as zero; exp2Fast(-inf) = 0.
__device__ __forceinline__ float exp2Fast(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_EXP2_FAST
