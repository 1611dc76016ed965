#ifndef POLYMEND_RT_WAIT_APART
#define POLYMEND_RT_WAIT_APART

namespace polymend_rt {
namespace {

/// All threads of a group wait for one another, and for those of the block's other groups.
template <int group> __device__ inline void waitApart() {
  if constexpr (group > 1) __syncthreads();
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_WAIT_APART
