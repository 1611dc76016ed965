#ifndef POLYMEND_RT_CEIL_DIV
#define POLYMEND_RT_CEIL_DIV

#include "floor_div.h"

#include <cstdint>

namespace polymend_rt {
namespace {

/// The quotient rounded towards plus infinity.
inline std::int64_t ceilDiv(std::int64_t a, std::int64_t b) { return floorDiv(a - 1, b) + 1; }

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_CEIL_DIV
