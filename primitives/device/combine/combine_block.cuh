#ifndef POLYMEND_RT_COMBINE_BLOCK
#define POLYMEND_RT_COMBINE_BLOCK

#include "combine_lanes.cuh"

namespace polymend_rt {
namespace {

/// Combines the values of all threads of a block; each of them gets the same result. A barrier.
template <int threads = 256, class T, class Combine> __device__ inline T combineBlock(T value, Combine combine) {
  constexpr int groups = threads / 32;
  __shared__ T parts[groups];
  value = combineLanes<32>(value, combine);
  __syncthreads();
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  T result = parts[0];
  for (int i = 1; i < groups; ++i) result = combine(result, parts[i]);
  return result;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_COMBINE_BLOCK
