#ifndef POLYMEND_RT_DEAL
#define POLYMEND_RT_DEAL

#include "held_by.cuh"

namespace polymend_rt {
namespace {

/// Calls f(four, at, count) for each four of this thread in [piece, limit), as far as a group holds it: its elements
/// are those from `at`, `count` of them.
template <int group, int fours, class Index, class F>
__device__ __forceinline__ void deal(Index piece, Index limit, const F &f) {
  const Index first = piece + static_cast<int>(threadIdx.x % group) * 4;
  if (limit - piece >= heldBy(group, fours)) {
#pragma unroll
    for (int four = 0; four < fours; ++four) f(four, static_cast<Index>(first + four * group * 4), 4);
  } else if ((limit - piece) % 4 == 0) {
#pragma unroll
    for (int four = 0; four < fours; ++four)
      if (first + four * group * 4 < limit) f(four, static_cast<Index>(first + four * group * 4), 4);
  } else {
#pragma unroll
    for (int four = 0; four < fours; ++four) {
      const Index at = first + four * group * 4;
      if (at < limit) f(four, at, limit - at < 4 ? static_cast<int>(limit - at) : 4);
    }
  }
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_DEAL
