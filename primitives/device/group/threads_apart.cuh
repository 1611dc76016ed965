#ifndef POLYMEND_RT_THREADS_APART
#define POLYMEND_RT_THREADS_APART

namespace polymend_rt {
namespace {

/// The threads of a block whose groups stand apart: as many as let eight groups or more share a sector, unless a group
/// has the block alone.
__host__ __device__ constexpr int threadsApart(int group) { return group == 128 ? 1024 : 256; }

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_THREADS_APART
