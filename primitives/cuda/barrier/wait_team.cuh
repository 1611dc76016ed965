#ifndef POLYMEND_RT_WAIT_TEAM
#define POLYMEND_RT_WAIT_TEAM

#include "wait_among.cuh"

namespace polymend_rt {
namespace {

/// The 256 threads of a team, a block or whole warps of a larger one, wait for one another.
__device__ __forceinline__ void waitTeam() { waitAmong(1, 256); }

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_WAIT_TEAM
