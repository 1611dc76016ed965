#ifndef POLYMEND_RT_GROUP_THREADS
#define POLYMEND_RT_GROUP_THREADS

namespace polymend_rt {
namespace {

/// The threads of a block: groups within one warp share a block, others are alone in theirs.
__host__ __device__ constexpr int groupThreads(int group) { return group <= 32 ? 256 : group; }

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_GROUP_THREADS
