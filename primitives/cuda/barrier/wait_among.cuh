#ifndef POLYMEND_RT_WAIT_AMONG
#define POLYMEND_RT_WAIT_AMONG

namespace polymend_rt {
namespace {

/// Waits for `threads` threads, whole warps of a block, at the barrier of that number; __syncthreads() has number 0.
__device__ __forceinline__ void waitAmong(int number, int threads) {
  asm volatile("bar.sync %0, %1;" : : "r"(number), "r"(threads) : "memory");
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_WAIT_AMONG
