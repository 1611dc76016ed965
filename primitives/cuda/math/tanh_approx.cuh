#ifndef POLYMEND_RT_TANH_APPROX
#define POLYMEND_RT_TANH_APPROX

namespace polymend_rt {
namespace {

/// tanh x within a relative error of 2^-10.9.
__device__ __forceinline__ float tanhApprox(float x) {
  float result;
  asm("tanh.approx.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_TANH_APPROX
