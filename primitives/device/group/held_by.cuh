#ifndef POLYMEND_RT_HELD_BY
#define POLYMEND_RT_HELD_BY

namespace polymend_rt {
namespace {

/// How many elements a group of threads holds, each of them that many fours of neighbours.
__host__ __device__ constexpr int heldBy(int group, int fours) { return group * fours * 4; }

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_HELD_BY
