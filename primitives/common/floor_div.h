#ifndef POLYMEND_RT_FLOOR_DIV
#define POLYMEND_RT_FLOOR_DIV

#include "host_device.h"

#include <cstdint>

namespace polymend_rt {
namespace {

/// The quotient rounded towards minus infinity.
POLYMEND_HOST_DEVICE inline std::int64_t floorDiv(std::int64_t a, std::int64_t b) {
  return a / b - ((a % b != 0 && (a % b < 0) != (b < 0)) ? 1 : 0);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_FLOOR_DIV
