#ifndef POLYMEND_RT_WORD_QUOTIENT
#define POLYMEND_RT_WORD_QUOTIENT

#include "host_device.h"

#include <cstdint>

namespace polymend_rt {
namespace {

/// The quotient of words without a sign; 0 where nothing can be divided by the second.
POLYMEND_HOST_DEVICE inline std::int64_t wordQuotient(std::int64_t a, std::int64_t b) {
  return b == 0 ? 0 : static_cast<std::int64_t>(static_cast<std::uint64_t>(a) / static_cast<std::uint64_t>(b));
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_WORD_QUOTIENT
