#ifndef POLYMEND_RT_TRANSPOSE
#define POLYMEND_RT_TRANSPOSE

#include "unroll.h"
#include "vectors.h"

#include <cstdint>
#include <utility>

namespace polymend_rt {
namespace {

/// Swaps the off-diagonal blocks of `half` lanes in every pair of vectors, then those of half of it: a transposition.
template <class T, int half, int... lane>
inline __attribute__((always_inline)) void exchange(typename Vectors<T>::Vector *block,
                                                    std::integer_sequence<int, lane...> lanes) {
  constexpr int count = sizeof...(lane);
  POLYMEND_UNROLL
  for (int i = 0; i < count; ++i) {
    if ((i & half) != 0) continue;
    const auto upper = block[i], lower = block[i + half];
    block[i] = __builtin_shufflevector(upper, lower, ((lane & half) != 0 ? count + lane - half : lane)...);
    block[i + half] = __builtin_shufflevector(upper, lower, ((lane & half) != 0 ? count + lane : lane + half)...);
  }
  if constexpr (half > 1) exchange<T, half / 2>(block, lanes);
}

/// *target(i, j) = *source(i, j), where the target is contiguous along j and the source along i.
template <class T, class Target, class Source>
inline void transpose(Range rows, Range columns, const Target &target, const Source &source) {
  using Vector = typename Vectors<T>::Vector;
  using Memory = typename Vectors<T>::Memory;
  constexpr int lanes = Vectors<T>::lanes;
  std::int64_t i = rows.first;
  for (; i + lanes <= rows.limit; i += lanes) {
    std::int64_t j = columns.first;
    for (; j + lanes <= columns.limit; j += lanes) {
      Vector block[lanes];
      POLYMEND_UNROLL
      for (int l = 0; l < lanes; ++l) block[l] = *reinterpret_cast<const Memory *>(source(i, j + l));
      exchange<T, lanes / 2>(block, std::make_integer_sequence<int, lanes>());
      POLYMEND_UNROLL
      for (int l = 0; l < lanes; ++l) *reinterpret_cast<Memory *>(target(i + l, j)) = block[l];
    }
    for (; j < columns.limit; ++j)
      for (int l = 0; l < lanes; ++l) *target(i + l, j) = *source(i + l, j);
  }
  for (; i < rows.limit; ++i)
    for (std::int64_t j = columns.first; j < columns.limit; ++j) *target(i, j) = *source(i, j);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_TRANSPOSE
