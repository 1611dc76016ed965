#ifndef POLYMEND_RT_SQRT
#define POLYMEND_RT_SQRT

#include <cmath>

namespace polymend_rt {
namespace {

/// The correctly rounded root, without errno.
template <class T> inline T sqrt(T x) {
#if defined(__clang__)
  return __builtin_elementwise_sqrt(x);
#else
  return std::sqrt(x);
#endif
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_SQRT
