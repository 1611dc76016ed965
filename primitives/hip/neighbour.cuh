#ifndef POLYMEND_RT_NEIGHBOUR
#define POLYMEND_RT_NEIGHBOUR

namespace polymend_rt {
namespace {

/// The value that the thread has whose number differs in the bits of `distance`; all threads of a wave call this.
template <class T> __device__ inline T neighbour(T value, int distance) { return __shfl_xor(value, distance, 32); }

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_NEIGHBOUR
