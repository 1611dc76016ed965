#ifndef POLYMEND_RT_SUM
#define POLYMEND_RT_SUM

namespace polymend_rt {
namespace {

struct Sum {
  template <class T> __device__ T operator()(T a, T b) const { return static_cast<T>(a + b); }
};

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_SUM
