#ifndef POLYMEND_RT_VALUES_NOTED
#define POLYMEND_RT_VALUES_NOTED

#include "interval.h"

#include <cstdint>

namespace polymend_rt {
namespace {

/// From the least to the greatest value that was noted of these elements.
__device__ inline Interval valuesNoted(const unsigned long long *words, const Interval &elements) {
  if (!elements.known || elements.empty()) return elements;
  const unsigned long long sign = 1ull << 63;
  return Interval::from(static_cast<std::int64_t>(~words[1] ^ sign), static_cast<std::int64_t>(words[0] ^ sign));
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_VALUES_NOTED
