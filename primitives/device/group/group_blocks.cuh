#ifndef POLYMEND_RT_GROUP_BLOCKS
#define POLYMEND_RT_GROUP_BLOCKS

#include <cstdint>

namespace polymend_rt {
namespace {

/// As many blocks of so many threads as hold a group for each point.
inline std::int64_t groupBlocks(std::int64_t points, int group, int threads) {
  const std::int64_t share = threads / group;
  return points / share + (points % share != 0 ? 1 : 0);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_GROUP_BLOCKS
