#ifndef POLYMEND_RT_ZEROS_BELOW
#define POLYMEND_RT_ZEROS_BELOW

#include "host_device.h"

#include <bit>
#include <cstdint>

namespace polymend_rt {
namespace {

/// How many bits of the word are 0 below the lowest one that is set; all of them where none is.
POLYMEND_HOST_DEVICE inline std::int32_t zerosBelow(std::int64_t word) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return word == 0 ? 64 : __ffsll(static_cast<long long>(word)) - 1;
#else
  return std::countr_zero(static_cast<std::uint64_t>(word));
#endif
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_ZEROS_BELOW
