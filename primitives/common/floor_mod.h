#ifndef POLYMEND_RT_FLOOR_MOD
#define POLYMEND_RT_FLOOR_MOD

#include "floor_div.h"
#include "host_device.h"

#include <cstdint>
#include <type_traits>

namespace polymend_rt {
namespace {

/// The remainder that has the sign of the divisor.
template <class T = std::int64_t>
POLYMEND_HOST_DEVICE inline T floorMod(std::type_identity_t<T> a, std::type_identity_t<T> b) {
  return a - floorDiv<T>(a, b) * b;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_FLOOR_MOD
