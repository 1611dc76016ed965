#ifndef POLYMEND_RT_EACH_NEIGHBOUR
#define POLYMEND_RT_EACH_NEIGHBOUR

#include <cstdint>
#include <type_traits>

namespace polymend_rt {
namespace {

/// As eachRow, where neighbouring points have the same row and read neighbours: a thread each. Rows that would hold up
/// their threads are run by the block, at the end.
template <class Length, class Run>
__device__ __forceinline__ void eachNeighbour(std::int64_t points, int share, const Length &length, const Run &run) {
  constexpr std::int64_t longest = 2048;
  constexpr int threads = 256;
  __shared__ std::int64_t kept[threads];
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  const std::int64_t point = blockIdx.x * std::int64_t{share} + threadIdx.x;
  if (static_cast<int>(threadIdx.x) < share && point < points) {
    if (length(point) < longest)
      run(std::integral_constant<int, 1>(), point);
    else
      kept[atomicAdd(&count, 1)] = point;
  }
  __syncthreads();
  for (int k = 0; k < count; ++k) run(std::integral_constant<int, threads>(), kept[k]);
}

/// How many of so many points a block of 256 threads runs: a warp's, or more where blocks fill a device.
inline int neighboursOfBlock(std::int64_t points) {
  constexpr std::int64_t blocks = 1056;
  int share = 256;
  while (share > 32 && points < share * blocks) share /= 2;
  return share;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_EACH_NEIGHBOUR
