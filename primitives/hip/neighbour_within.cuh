#ifndef POLYMEND_RT_NEIGHBOUR_WITHIN
#define POLYMEND_RT_NEIGHBOUR_WITHIN

namespace polymend_rt {
namespace {

/// The value that the thread has whose number differs in the bits of `distance`, less than `lanes`; all threads of a
/// group of so many neighbours call this.
template <int lanes, class T> __device__ inline T neighbourWithin(T value, int distance) {
  return __shfl_xor(value, distance, lanes);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_NEIGHBOUR_WITHIN
