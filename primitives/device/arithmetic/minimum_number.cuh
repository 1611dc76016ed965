#ifndef POLYMEND_RT_MINIMUM_NUMBER
#define POLYMEND_RT_MINIMUM_NUMBER

#include <cmath>

namespace polymend_rt {
namespace {

struct MinimumNumber {
  template <class T> __device__ T operator()(T a, T b) const {
    if constexpr (sizeof(T) == sizeof(float))
      return ::fminf(a, b);
    else
      return ::fmin(a, b);
  }
};

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_MINIMUM_NUMBER
