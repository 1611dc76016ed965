#ifndef POLYMEND_RT_FUSED_MULTIPLY_ADD
#define POLYMEND_RT_FUSED_MULTIPLY_ADD

#include <cmath>

namespace polymend_rt {
namespace {

/// a * b + c, rounded once.
template <class T> __device__ inline T fusedMultiplyAdd(T a, T b, T c) {
  if constexpr (sizeof(T) == sizeof(float))
    return ::fmaf(a, b, c);
  else
    return ::fma(a, b, c);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_FUSED_MULTIPLY_ADD
