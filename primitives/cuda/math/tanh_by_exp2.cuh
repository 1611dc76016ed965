#ifndef POLYMEND_RT_TANH_BY_EXP2
#define POLYMEND_RT_TANH_BY_EXP2

#include "exp2_fast.cuh"
#include "reciprocal.cuh"

#include <cmath>

namespace polymend_rt {
namespace {

/// tanh x within 2^-22, an absolute bound: near zero the relative error grows; NaN stays NaN.
__device__ __forceinline__ float tanhByExp2(float x) {
  constexpr float twiceLog2E = 0x1.715476p+1f;
  return ::fmaf(-2.0f, reciprocal(exp2Fast(x * twiceLog2E) + 1.0f), 1.0f);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_TANH_BY_EXP2
