#ifndef POLYMEND_RT_BLOCKS_APART
#define POLYMEND_RT_BLOCKS_APART

#include "threads_apart.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// As many blocks as hold a group for each point, where groups stand apart.
inline std::int64_t blocksApart(std::int64_t points, int group) {
  const std::int64_t share = threadsApart(group) / group;
  return points / share + (points % share != 0 ? 1 : 0);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_BLOCKS_APART
