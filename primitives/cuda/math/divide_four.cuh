#ifndef POLYMEND_RT_DIVIDE_FOUR
#define POLYMEND_RT_DIVIDE_FOUR

#include "reciprocal.cuh"

namespace polymend_rt {
namespace {

/// Each of four numbers of [1, 2^31 + 1] becomes `numerator` divided by it, within 7 ulp, by one division; if one is
/// NaN, all are.
__device__ __forceinline__ void divideFour(float numerator, float (&by)[4]) {
  const float first = by[0] * by[1], last = by[2] * by[3];
  const float all = numerator * reciprocal(first * last);
  const float overFirst = all * last, overLast = all * first;
  const float quotients[4] = {overFirst * by[1], overFirst * by[0], overLast * by[3], overLast * by[2]};
#pragma unroll
  for (int i = 0; i < 4; ++i) by[i] = quotients[i];
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_DIVIDE_FOUR
