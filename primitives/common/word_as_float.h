#ifndef POLYMEND_RT_WORD_AS_FLOAT
#define POLYMEND_RT_WORD_AS_FLOAT

#include "host_device.h"

#include <cstdint>

namespace polymend_rt {
namespace {

/// The word as a number without a sign, rounded once.
POLYMEND_HOST_DEVICE inline float wordAsFloat(std::int64_t word) {
  return static_cast<float>(static_cast<std::uint64_t>(word));
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_WORD_AS_FLOAT
