#ifndef POLYMEND_RT_FIRST_ZERO
#define POLYMEND_RT_FIRST_ZERO

#include <cstdint>
#include <limits>

namespace polymend_rt {
namespace {

/// An extreme that lanes found. Zeros of both signs are equal: of these a comparison keeps the first, which 1 / x
/// tells.
template <class T, class Value>
inline T firstZero(T extreme, T start, std::int64_t first, std::int64_t limit, const Value &value) {
  if (std::numeric_limits<T>::is_integer || extreme != T{} || start == extreme) return extreme;
  for (; first < limit; ++first)
    if (const T one = static_cast<T>(value(first)); one == extreme) return one;
  return extreme;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_FIRST_ZERO
