#ifndef POLYMEND_RT_MULTIPLY_ADD
#define POLYMEND_RT_MULTIPLY_ADD

#include <cmath>

namespace polymend_rt {
namespace {

/// a * b + c, rounded once where the machine can.
template <class T> inline __attribute__((always_inline)) T multiplyAdd(T a, T b, T c) {
#if defined(__clang__)
#pragma clang fp contract(on)
#elif defined(__FP_FAST_FMA) && defined(__FP_FAST_FMAF)
  return std::fma(a, b, c);
#endif
  return a * b + c;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_MULTIPLY_ADD
