#ifndef POLYMEND_RT_MAXIMUM_NUMBER
#define POLYMEND_RT_MAXIMUM_NUMBER

#include <cmath>

namespace polymend_rt {
namespace {

struct MaximumNumber {
  template <class T> __device__ T operator()(T a, T b) const {
    if constexpr (sizeof(T) == sizeof(float))
      return ::fmaxf(a, b);
    else
      return ::fmax(a, b);
  }
};

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_MAXIMUM_NUMBER
