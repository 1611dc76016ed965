#ifndef POLYMEND_RT_COMBINE_FEW_IN_WARP
#define POLYMEND_RT_COMBINE_FEW_IN_WARP

#include "combine_lanes.cuh"

namespace polymend_rt {
namespace {

/// `count` terms combined with `value` by the lanes of each warp; all of them get the result.
template <class T, class Term, class Combine>
__device__ __forceinline__ T combineFewInWarp(T value, int count, T neutral, Term term, Combine combine) {
  T own = neutral;
  for (int i = threadIdx.x % 32; i < count; i += 32) own = combine(own, term(i));
  return combine(value, combineLanes<32>(own, combine));
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_COMBINE_FEW_IN_WARP
