#ifndef POLYMEND_RT_EXP2
#define POLYMEND_RT_EXP2

#include "scale.h"

namespace polymend_rt {
namespace {

/// 2^x within 2 ulp (denormal results within one denormal ulp); exp2(-inf) = 0, exp2(inf) = inf, NaN stays NaN.
inline float exp2(float x) {
  const float above = x < -151.0f ? -151.0f : x;
  const float c = above > 129.0f ? 129.0f : above;
  const float shifted = c + 0x1.8p+23f;
  const float r = c - (shifted - 0x1.8p+23f);
  const float p =
      (((0x1.44138ap-13f * r + 0x1.5f0890p-10f) * r + 0x1.3b2a54p-7f) * r + 0x1.c6af6cp-5f) * r + 0x1.ebfbe0p-3f;
  return scale((p * r + 0x1.62e430p-1f) * r + 1.0f, shifted);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_EXP2
