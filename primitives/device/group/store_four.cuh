#ifndef POLYMEND_RT_STORE_FOUR
#define POLYMEND_RT_STORE_FOUR

#include "four.cuh"

namespace polymend_rt {
namespace {

/// to[k] = from[k] for k < count, at most four.
template <class T> __device__ __forceinline__ void storeFour(T *to, const T *from, int count) {
  if (count == 4 && isAligned(to)) {
    Four<T> four;
#pragma unroll
    for (int k = 0; k < 4; ++k) four.of[k] = from[k];
    *reinterpret_cast<Four<T> *>(to) = four;
  } else {
#pragma unroll
    for (int k = 0; k < 4; ++k)
      if (k < count) to[k] = from[k];
  }
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_STORE_FOUR
