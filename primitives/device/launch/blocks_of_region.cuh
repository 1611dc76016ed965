#ifndef POLYMEND_RT_BLOCKS_OF_REGION
#define POLYMEND_RT_BLOCKS_OF_REGION

#include <cstdint>

namespace polymend_rt {
namespace {

/// As blocksFor, of one of several regions that share a launch.
__device__ std::int64_t blocksOfRegion(std::int64_t points) {
  const std::int64_t blocks = points / 256 + (points % 256 != 0 ? 1 : 0);
  return blocks < 16384 ? blocks : 16384;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_BLOCKS_OF_REGION
