#ifndef POLYMEND_RT_BLOCKS_FOR
#define POLYMEND_RT_BLOCKS_FOR

#include <cstdint>

namespace polymend_rt {
namespace {

/// As many blocks as `points` need with 256 of them each, and not many more than fill the device: of a launch, or of
/// each of the regions that share one.
__host__ __device__ inline std::int64_t blocksFor(std::int64_t points) {
  const std::int64_t blocks = points / 256 + (points % 256 != 0 ? 1 : 0);
  return blocks < 16384 ? blocks : 16384;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_BLOCKS_FOR
