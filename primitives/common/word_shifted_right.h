#ifndef POLYMEND_RT_WORD_SHIFTED_RIGHT
#define POLYMEND_RT_WORD_SHIFTED_RIGHT

#include "host_device.h"

#include <cstdint>

namespace polymend_rt {
namespace {

/// The word shifted right by 0 to 63 bits, zeros coming in.
POLYMEND_HOST_DEVICE inline std::int64_t wordShiftedRight(std::int64_t word, std::int64_t by) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(word) >> by);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_WORD_SHIFTED_RIGHT
