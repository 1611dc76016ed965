#ifndef POLYMEND_RT_GROUPS_OF_BLOCK
#define POLYMEND_RT_GROUPS_OF_BLOCK

#include "threads_apart.cuh"

namespace polymend_rt {
namespace {

/// How many groups a block has where they stand apart. Threads of a group that are so far apart are beside those of its
/// neighbours.
template <int group> constexpr int groupsOfBlock = threadsApart(group) / group;

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_GROUPS_OF_BLOCK
