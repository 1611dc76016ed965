#ifndef POLYMEND_RT_FLOOR_DIV
#define POLYMEND_RT_FLOOR_DIV

#include "host_device.h"

#include <cstdint>
#include <type_traits>

namespace polymend_rt {
namespace {

/// The quotient rounded towards minus infinity.
template <class T = std::int64_t>
POLYMEND_HOST_DEVICE inline T floorDiv(std::type_identity_t<T> a, std::type_identity_t<T> b) {
  return a / b - ((a % b != 0 && (a % b < 0) != (b < 0)) ? 1 : 0);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_FLOOR_DIV
