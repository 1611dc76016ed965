#ifndef POLYMEND_RT_CHOOSE
#define POLYMEND_RT_CHOOSE

namespace polymend_rt {
namespace {

/// One of two values that are both computed: no branch.
template <class T> __device__ __forceinline__ T choose(bool first, T a, T b) { return first ? a : b; }

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_CHOOSE
