#ifndef POLYMEND_RT_ZEROS_ABOVE
#define POLYMEND_RT_ZEROS_ABOVE

#include "host_device.h"

#include <bit>
#include <cstdint>

namespace polymend_rt {
namespace {

/// How many bits of the word are 0 above the highest one that is set; all of them where none is.
POLYMEND_HOST_DEVICE inline std::int32_t zerosAbove(std::int64_t word) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return __clzll(static_cast<long long>(word));
#else
  return std::countl_zero(static_cast<std::uint64_t>(word));
#endif
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_ZEROS_ABOVE
