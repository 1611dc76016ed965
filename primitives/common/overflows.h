#ifndef POLYMEND_RT_OVERFLOWS
#define POLYMEND_RT_OVERFLOWS

#include "host_device.h"

#include <cstdint>

namespace polymend_rt {
namespace {

/// Whether a result leaves 64 bits; else it is what is asked for. Members of templates, which may have no use, call
/// them.
[[maybe_unused]] POLYMEND_HOST_DEVICE inline bool addOverflows(std::int64_t a, std::int64_t b, std::int64_t *result) {
  if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b) return true;
  *result = a + b;
  return false;
}
[[maybe_unused]] POLYMEND_HOST_DEVICE inline bool subtractOverflows(std::int64_t a, std::int64_t b,
                                                                    std::int64_t *result) {
  if (b < 0 ? a > INT64_MAX + b : a < INT64_MIN + b) return true;
  *result = a - b;
  return false;
}
[[maybe_unused]] POLYMEND_HOST_DEVICE inline bool multiplyOverflows(std::int64_t a, std::int64_t b,
                                                                    std::int64_t *result) {
  const auto product = static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  if ((a == -1 && b == INT64_MIN) || (a != 0 && a != -1 && product / a != b)) return true;
  *result = product;
  return false;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_OVERFLOWS
