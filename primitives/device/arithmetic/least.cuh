#ifndef POLYMEND_RT_LEAST
#define POLYMEND_RT_LEAST

namespace polymend_rt {
namespace {

template <class T> __host__ __device__ inline T least(T a, T b) { return b < a ? b : a; }

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_LEAST
