#ifndef POLYMEND_RT_LOG
#define POLYMEND_RT_LOG

#include "bits.h"

#include <limits>

namespace polymend_rt {
namespace {

/// log x within 2 ulp; log(0) = -inf, log of a negative number is NaN, log(inf) = inf, NaN stays NaN.
inline float log(float x) {
  const bool tiny = x < 0x1p-126f;
  const std::uint32_t bits = bitsOf(tiny ? x * 0x1p+23f : x);
  const std::int32_t e = static_cast<std::int32_t>(bits - UINT32_C(0x3f3504f3)) >> 23;
  const float f = floatOf(bits - (static_cast<std::uint32_t>(e) << 23)) - 1.0f;
  const float n = static_cast<float>(tiny ? e - 23 : e);
  float p = 0x1.1d8ea6p-4f * f - 0x1.d635bcp-4f;
  p = ((p * f + 0x1.dea282p-4f) * f - 0x1.fcf4c6p-4f) * f + 0x1.23d21ap-3f;
  p = ((p * f - 0x1.555b4ap-3f) * f + 0x1.999d5ap-3f) * f - 0x1.fffffcp-3f;
  p = (p * f + 0x1.555554p-2f) * f - 0.5f;
  const float y = (p * f * f + n * 0x1.7f7d1cp-20f) + f + n * 0x1.62e4p-1f;
  const float infinity = std::numeric_limits<float>::infinity();
  const float positive = x < infinity ? y : x;
  const float nonNegative = x == 0.0f ? -infinity : positive;
  return x < 0.0f ? std::numeric_limits<float>::quiet_NaN() : nonNegative;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_LOG
