#ifndef POLYMEND_RT_ONES_IN
#define POLYMEND_RT_ONES_IN

#include "host_device.h"

#include <bit>
#include <cstdint>

namespace polymend_rt {
namespace {

/// How many bits of the word are set.
POLYMEND_HOST_DEVICE inline std::int32_t onesIn(std::int64_t word) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return __popcll(static_cast<unsigned long long>(word));
#else
  return std::popcount(static_cast<std::uint64_t>(word));
#endif
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_ONES_IN
