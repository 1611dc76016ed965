#ifndef POLYMEND_RT_DIVIDE_FULL
#define POLYMEND_RT_DIVIDE_FULL

namespace polymend_rt {
namespace {

/// a / b within 2 ulp, over the full range and without a branch.
__device__ __forceinline__ float divideFull(float a, float b) {
  float result;
  asm("div.full.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_DIVIDE_FULL
