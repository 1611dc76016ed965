#ifndef POLYMEND_RT_WORD_PRODUCT
#define POLYMEND_RT_WORD_PRODUCT

#include "host_device.h"

#include <cstdint>

namespace polymend_rt {
namespace {

/// The product modulo 2^64.
POLYMEND_HOST_DEVICE inline std::int64_t wordProduct(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_WORD_PRODUCT
