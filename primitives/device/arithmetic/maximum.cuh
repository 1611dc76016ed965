#ifndef POLYMEND_RT_MAXIMUM
#define POLYMEND_RT_MAXIMUM

namespace polymend_rt {
namespace {

struct Maximum {
  template <class T> __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_MAXIMUM
