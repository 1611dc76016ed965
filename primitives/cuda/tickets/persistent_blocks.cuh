#ifndef POLYMEND_RT_PERSISTENT_BLOCKS
#define POLYMEND_RT_PERSISTENT_BLOCKS

#include <cstdint>

namespace polymend_rt {
namespace {

/// One block a multiprocessor of the current device, and no more than there are tiles.
inline std::int64_t persistentBlocks(std::int64_t tiles) {
  int device = 0, multiprocessors = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
    return tiles;
  return tiles < multiprocessors ? tiles : multiprocessors;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_PERSISTENT_BLOCKS
