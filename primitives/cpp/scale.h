#ifndef POLYMEND_RT_SCALE
#define POLYMEND_RT_SCALE

#include "bits.h"

#include <cstdint>

namespace polymend_rt {
namespace {

/// p * 2^n for n in [-252, 254], in two exact steps and one rounding; `shifted` is 1.5 * 2^23 + n.
inline float scale(float p, float shifted) {
  const auto n = static_cast<std::int32_t>(bitsOf(shifted) - UINT32_C(0x4b400000));
  const std::int32_t half = n >> 1;
  const auto low = static_cast<std::uint32_t>(half) + UINT32_C(127);
  const auto high = static_cast<std::uint32_t>(n) - static_cast<std::uint32_t>(half) + UINT32_C(127);
  return p * floatOf(low << 23) * floatOf(high << 23);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_SCALE
