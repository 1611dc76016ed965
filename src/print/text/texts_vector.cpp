// Primitives that combine many elements: reductions in lanes, and transpositions in registers.
#include "texts.h"

namespace polymend::print_room::texts {

const std::string_view reduce =
    R"cpp(/// Combines `start` with value(i) for i in [first, limit), in lanes that the compiler keeps in vectors; few of them
/// one by one.
template <class T, class Combine, class Value>
inline __attribute__((always_inline)) T reduce(T start, T neutral, std::int64_t first, std::int64_t limit,
                                               const Combine &combine, const Value &value) {
  constexpr int lanes = 128 / static_cast<int>(sizeof(T));
  if (limit - first <= 8) {
    for (; first < limit; ++first) start = combine(start, static_cast<T>(value(first)));
    return start;
  }
  alignas(64) T partial[lanes];
  for (int l = 0; l < lanes; ++l) partial[l] = neutral;
  for (; first + lanes <= limit; first += lanes) {
#pragma omp simd
    for (int l = 0; l < lanes; ++l) partial[l] = combine(partial[l], static_cast<T>(value(first + l)));
  }
  const int rest = limit > first ? static_cast<int>(limit - first) : 0;
#pragma omp simd
  for (int l = 0; l < rest; ++l) partial[l] = combine(partial[l], static_cast<T>(value(first + l)));
  for (int width = lanes / 2; width > 0; width /= 2)
    for (int l = 0; l < width; ++l) partial[l] = combine(partial[l], partial[l + width]);
  return combine(start, partial[0]);
}
)cpp";

const std::string_view sum = R"cpp(template <class T, class Value>
inline __attribute__((always_inline)) T sum(T start, std::int64_t first, std::int64_t limit, const Value &value) {
  return reduce(start, static_cast<T>(-T(0)), first, limit, [](T a, T b) { return static_cast<T>(a + b); }, value);
}
)cpp";

const std::string_view product = R"cpp(template <class T, class Value>
inline __attribute__((always_inline)) T product(T start, std::int64_t first, std::int64_t limit, const Value &value) {
  return reduce(start, T(1), first, limit, [](T a, T b) { return static_cast<T>(a * b); }, value);
}
)cpp";

const std::string_view maximum = R"cpp(template <class T, class Value>
inline __attribute__((always_inline)) T maximum(T start, std::int64_t first, std::int64_t limit, const Value &value) {
  using Limits = std::numeric_limits<T>;
  const T neutral = Limits::has_infinity ? static_cast<T>(-Limits::infinity()) : Limits::lowest();
  return reduce(start, neutral, first, limit, [](T a, T b) { return a < b ? b : a; }, value);
}
)cpp";

const std::string_view minimum = R"cpp(template <class T, class Value>
inline __attribute__((always_inline)) T minimum(T start, std::int64_t first, std::int64_t limit, const Value &value) {
  using Limits = std::numeric_limits<T>;
  const T neutral = Limits::has_infinity ? Limits::infinity() : Limits::max();
  return reduce(start, neutral, first, limit, [](T a, T b) { return b < a ? b : a; }, value);
}
)cpp";

const std::string_view fmaximum = R"cpp(template <class T, class Value>
inline __attribute__((always_inline)) T fmaximum(T start, std::int64_t first, std::int64_t limit, const Value &value) {
  const T neutral = std::numeric_limits<T>::quiet_NaN();
  return reduce(start, neutral, first, limit, [](T a, T b) { return std::fmax(a, b); }, value);
}
)cpp";

const std::string_view fminimum = R"cpp(template <class T, class Value>
inline __attribute__((always_inline)) T fminimum(T start, std::int64_t first, std::int64_t limit, const Value &value) {
  const T neutral = std::numeric_limits<T>::quiet_NaN();
  return reduce(start, neutral, first, limit, [](T a, T b) { return std::fmin(a, b); }, value);
}
)cpp";

const std::string_view vectors = R"cpp(#if defined(__AVX512F__)
constexpr int vectorBytes = 64;
#elif defined(__AVX__)
constexpr int vectorBytes = 32;
#else
constexpr int vectorBytes = 16;
#endif

/// A half-open range of indices.
struct Range {
  std::int64_t first, limit;
};

/// A vector of T in registers, and in memory that is aligned as T is.
template <class T> struct Vectors {
  static constexpr int lanes = vectorBytes / static_cast<int>(sizeof(T));
  typedef T Vector __attribute__((vector_size(vectorBytes)));
  typedef T Memory __attribute__((vector_size(vectorBytes), aligned(alignof(T)), may_alias));
};
)cpp";

const std::string_view transpose =
    R"cpp(/// Swaps the off-diagonal blocks of `half` lanes in every pair of vectors, then those of half of it: a transposition.
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
)cpp";

} // namespace polymend::print_room::texts
