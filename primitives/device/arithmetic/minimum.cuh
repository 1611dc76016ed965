#ifndef POLYMEND_RT_MINIMUM
#define POLYMEND_RT_MINIMUM

namespace polymend_rt {
namespace {

struct Minimum {
  template <class T> __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_MINIMUM
