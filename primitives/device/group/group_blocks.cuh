#ifndef POLYMEND_RT_GROUP_BLOCKS
#define POLYMEND_RT_GROUP_BLOCKS

#include "group_threads.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// As many blocks as hold a group for each point.
inline std::int64_t groupBlocks(std::int64_t points, int group) {
  const std::int64_t share = groupThreads(group) / group;
  return points / share + (points % share != 0 ? 1 : 0);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_GROUP_BLOCKS
