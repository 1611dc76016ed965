#ifndef POLYMEND_RT_WORD_DIFFERENCE
#define POLYMEND_RT_WORD_DIFFERENCE

#include "host_device.h"

#include <cstdint>

namespace polymend_rt {
namespace {

/// The difference modulo 2^64.
POLYMEND_HOST_DEVICE inline std::int64_t wordDifference(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_WORD_DIFFERENCE
