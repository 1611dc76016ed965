#ifndef POLYMEND_RT_IS_FINITE
#define POLYMEND_RT_IS_FINITE

#include <cmath>
#include <limits>

namespace polymend_rt {
namespace {

/// Neither infinite nor no number.
template <class T> inline __attribute__((always_inline)) bool isFinite(T x) {
  return std::abs(x) <= std::numeric_limits<T>::max();
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_IS_FINITE
