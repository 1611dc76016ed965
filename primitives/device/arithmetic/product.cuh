#ifndef POLYMEND_RT_PRODUCT
#define POLYMEND_RT_PRODUCT

namespace polymend_rt {
namespace {

struct Product {
  template <class T> __device__ T operator()(T a, T b) const { return static_cast<T>(a * b); }
};

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_PRODUCT
