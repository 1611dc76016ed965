#ifndef POLYMEND_RT_TANH
#define POLYMEND_RT_TANH

#include "exp.h"

namespace polymend_rt {
namespace {

/// tanh x within 3 ulp; tanh(-0) = -0, tanh(+-inf) = +-1, NaN stays NaN.
inline float tanh(float x) {
  const float magnitude = x < 0.0f ? -x : x;
  const float z = x * x;
  const float p =
      (((-0x1.8f8de4p-8f * z + 0x1.58048ep-6f) * z - 0x1.b9258ap-5f) * z + 0x1.110e1cp-3f) * z - 0x1.555552p-2f;
  const float nearZero = p * z * x + x;
  const float large = 1.0f - 2.0f / (exp(2.0f * magnitude) + 1.0f);
  const float far = x < 0.0f ? -large : large;
  return magnitude < 0.625f ? nearZero : far;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_TANH
