#ifndef POLYMEND_RT_FLOOR_MOD
#define POLYMEND_RT_FLOOR_MOD

#include "floor_div.h"
#include "host_device.h"

#include <cstdint>

namespace polymend_rt {
namespace {

/// The remainder that has the sign of the divisor.
POLYMEND_HOST_DEVICE inline std::int64_t floorMod(std::int64_t a, std::int64_t b) { return a - floorDiv(a, b) * b; }

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_FLOOR_MOD
