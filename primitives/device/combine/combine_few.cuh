#ifndef POLYMEND_RT_COMBINE_FEW
#define POLYMEND_RT_COMBINE_FEW

namespace polymend_rt {
namespace {

/// `count` terms combined with `value`, in order. Up to 8 of them are computed before the first is needed, so that what
/// they read from memory is under way together: no branch stands between them, `neutral` takes the place of those
/// beyond the last.
template <int together, class T, class Term, class Combine>
__device__ __forceinline__ T combineFewBy(T value, int count, T neutral, Term term, Combine combine) {
  for (int first = 0; first < count; first += together) {
    T terms[together];
#pragma unroll
    for (int i = 0; i < together; ++i) terms[i] = term(first + i < count ? first + i : first);
#pragma unroll
    for (int i = 0; i < together; ++i) value = combine(value, first + i < count ? terms[i] : neutral);
  }
  return value;
}

template <class T, class Term, class Combine>
__device__ __forceinline__ T combineFew(T value, int count, T neutral, Term term, Combine combine) {
  if (count == 1) return combine(value, term(0));
  return count <= 4 ? combineFewBy<4>(value, count, neutral, term, combine)
                    : combineFewBy<8>(value, count, neutral, term, combine);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_COMBINE_FEW
