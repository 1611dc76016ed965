#ifndef POLYMEND_RT_FMAXIMUM
#define POLYMEND_RT_FMAXIMUM

#include "reduce.h"

#include <limits>

namespace polymend_rt {
namespace {

template <class T, class Value>
inline __attribute__((always_inline)) T fmaximum(T start, std::int64_t first, std::int64_t limit, const Value &value) {
  const T neutral = std::numeric_limits<T>::quiet_NaN();
  // As std::fmax, which GCC would call for each element.
  return reduce(start, neutral, first, limit, [](T a, T b) { return a < b || a != a ? b : a; }, value);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_FMAXIMUM
