#ifndef POLYMEND_RT_EXP
#define POLYMEND_RT_EXP

#include "scale.h"

namespace polymend_rt {
namespace {

/// e^x within 2 ulp (denormal results within one denormal ulp); exp(-inf) = 0, exp(inf) = inf, NaN stays NaN.
inline float exp(float x) {
  const float above = x < -104.0f ? -104.0f : x;
  const float c = above > 89.0f ? 89.0f : above;
  const float shifted = c * 0x1.715476p+0f + 0x1.8p+23f;
  const float n = shifted - 0x1.8p+23f;
  const float r = (c - n * 0x1.62e4p-1f) - n * 0x1.7f7d1cp-20f;
  const float p = (((0x1.6d127ep-10f * r + 0x1.120ce4p-7f) * r + 0x1.555518p-5f) * r + 0x1.5554dcp-3f) * r + 0.5f;
  return scale(p * r * r + r + 1.0f, shifted);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_EXP
