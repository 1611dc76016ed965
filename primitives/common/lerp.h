#ifndef POLYMEND_RT_LERP
#define POLYMEND_RT_LERP

#include "host_device.h"

namespace polymend_rt {
namespace {

/// a + t (b - a): a and b themselves at 0 and 1, never beyond b before 1, and never back (C++, [c.math.lerp]).
template <class T> POLYMEND_HOST_DEVICE inline T lerp(T a, T b, T t) {
  if ((a <= 0 && b >= 0) || (a >= 0 && b <= 0)) return t * b + (1 - t) * a;
  if (t == 1) return b;
  const T x = a + t * (b - a);
  const bool rises = b > a, beyond = t > 1;
  return beyond == rises ? (b < x ? x : b) : (b > x ? x : b);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_LERP
