#ifndef POLYMEND_RT_MOST
#define POLYMEND_RT_MOST

namespace polymend_rt {
namespace {

template <class T> __host__ __device__ inline T most(T a, T b) { return a < b ? b : a; }

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_MOST
