#ifndef POLYMEND_RT_MAXIMUM
#define POLYMEND_RT_MAXIMUM

#include "first_zero.h"
#include "reduce.h"

#include <limits>

namespace polymend_rt {
namespace {

template <class T, class Value>
inline __attribute__((always_inline)) T maximum(T start, std::int64_t first, std::int64_t limit, const Value &value) {
  using Limits = std::numeric_limits<T>;
  const T neutral = Limits::has_infinity ? static_cast<T>(-Limits::infinity()) : Limits::lowest();
  const T extreme = reduce(start, neutral, first, limit, [](T a, T b) { return a < b ? b : a; }, value);
  return firstZero(extreme, start, first, limit, value);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_MAXIMUM
