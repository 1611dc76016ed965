#ifndef POLYMEND_RT_BLOCKS_FOR
#define POLYMEND_RT_BLOCKS_FOR

#include <cstdint>

namespace polymend_rt {
namespace {

/// As many blocks as `points` need with 256 of them each, or `threads`, and not many more than fill the device: of a
/// launch, or of each of the regions that share one.
__host__ __device__ inline std::int64_t blocksFor(std::int64_t points, int threads = 256) {
  const std::int64_t blocks = points / threads + (points % threads != 0 ? 1 : 0), most = 16384 * 256 / threads;
  return blocks < most ? blocks : most;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_BLOCKS_FOR
