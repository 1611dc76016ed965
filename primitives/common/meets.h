#ifndef POLYMEND_RT_MEETS
#define POLYMEND_RT_MEETS

#include "host_device.h"
#include "interval.h"

#include <cstdint>

namespace polymend_rt {
namespace {

/// Whether elements of one array may share a byte with elements of another; what has no memory shares none.
POLYMEND_HOST_DEVICE inline bool meets(const void *a, std::int64_t aSize, const Interval &aElements, const void *b,
                                       std::int64_t bSize, const Interval &bElements) {
  if (a == nullptr || b == nullptr || aElements.empty() || bElements.empty()) return false;
  const auto apart =
      static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(b) - reinterpret_cast<std::uintptr_t>(a));
  const Interval p = aElements.times(Interval(aSize)).plus(Interval::from(0, aSize - 1));
  const Interval q = bElements.times(Interval(bSize)).plus(Interval::from(0, bSize - 1)).plus(Interval(apart));
  return !p.known || !q.known || (p.least <= q.most && q.least <= p.most);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_MEETS
