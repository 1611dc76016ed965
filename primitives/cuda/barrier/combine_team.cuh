#ifndef POLYMEND_RT_COMBINE_TEAM
#define POLYMEND_RT_COMBINE_TEAM

#include "combine_lanes.cuh"
#include "wait_team.cuh"

namespace polymend_rt {
namespace {

/// Combines the values of a team's threads; each of them gets the same result. A barrier. `thread` is the number in the
/// team; `memory` has room for 8 values.
template <class T, class Combine>
__device__ inline T combineTeam(T value, Combine combine, int thread, unsigned char *memory) {
  T *const parts = reinterpret_cast<T *>(memory);
  value = combineLanes<32>(value, combine);
  waitTeam();
  if (thread % 32 == 0) parts[thread / 32] = value;
  waitTeam();
  T result = parts[0];
  for (int i = 1; i < 8; ++i) result = combine(result, parts[i]);
  return result;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_COMBINE_TEAM
