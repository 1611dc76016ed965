#ifndef POLYMEND_RT_COMBINE_AHEAD
#define POLYMEND_RT_COMBINE_AHEAD

#include "choose.cuh"

namespace polymend_rt {
namespace {

/// `count` terms, at most `together`, combined with `value`, in order; term(i) is at hand for each i below `together`.
template <int together, class T, class Term, class Combine>
__device__ __forceinline__ T combineAhead(T value, int count, T neutral, Term term, Combine combine) {
#pragma unroll
  for (int i = 0; i < together; ++i) value = combine(value, choose(i < count, term(i), neutral));
  return value;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_COMBINE_AHEAD
