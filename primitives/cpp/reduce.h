#ifndef POLYMEND_RT_REDUCE
#define POLYMEND_RT_REDUCE

#include <cstdint>
#include <type_traits>

namespace polymend_rt {
namespace {

/// Combines `start` with value(i) for i in [first, limit), in lanes that the compiler keeps in vectors; few of them,
/// and integers, whose order a compiler may choose, one by one. Additions of little else are kept in a loop, which
/// Clang would else take apart before it makes vectors of them.
template <bool isPlainSum = false, class T, class Combine, class Value>
inline __attribute__((always_inline)) T reduce(T start, T neutral, std::int64_t first, std::int64_t limit,
                                               const Combine &combine, const Value &value) {
  constexpr int lanes = 128 / static_cast<int>(sizeof(T));
  if (std::is_integral_v<T> || limit - first <= 8) {
    for (; first < limit; ++first) start = combine(start, static_cast<T>(value(first)));
    return start;
  }
  alignas(64) T partial[lanes];
  for (int l = 0; l < lanes; ++l) partial[l] = neutral;
  for (; first + lanes <= limit; first += lanes) {
    if constexpr (isPlainSum) {
#if defined(__clang__)
#pragma clang loop unroll(disable)
#else
#pragma omp simd
#endif
      for (int l = 0; l < lanes; ++l) partial[l] = combine(partial[l], static_cast<T>(value(first + l)));
    } else {
#pragma omp simd
      for (int l = 0; l < lanes; ++l) partial[l] = combine(partial[l], static_cast<T>(value(first + l)));
    }
  }
  const int rest = limit > first ? static_cast<int>(limit - first) : 0;
#pragma omp simd
  for (int l = 0; l < rest; ++l) partial[l] = combine(partial[l], static_cast<T>(value(first + l)));
  for (int width = lanes / 2; width > 0; width /= 2)
    for (int l = 0; l < width; ++l) partial[l] = combine(partial[l], partial[l + width]);
  return combine(start, partial[0]);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_REDUCE
