#ifndef POLYMEND_RT_EACH_ROW
#define POLYMEND_RT_EACH_ROW

#include "combine_within.cuh"
#include "sum.cuh"

#include <cstdint>
#include <type_traits>

namespace polymend_rt {
namespace {

/// Points [first, limit), `lanes` threads of the warp each, but those with `most` elements or more.
template <int lanes, class Length, class Run>
__device__ __forceinline__ void shareRows(std::int64_t first, std::int64_t limit, std::int64_t most,
                                          const Length &length, const Run &run) {
  for (std::int64_t point = first + threadIdx.x % 32 / lanes; point < limit; point += 32 / lanes)
    if (length(point) < most) run(std::integral_constant<int, lanes>(), point);
}

/// Calls run(threads, point) for each of the block's `share` points, at most 256, by so many neighbouring threads:
/// the shorter the rows that a warp has, the fewer. Rows that would hold up a warp are run by the block, at the end.
/// All threads of a block of 256 call this; length(point) is how many elements the point has.
template <class Length, class Run>
__device__ __forceinline__ void eachRow(std::int64_t points, int share, const Length &length, const Run &run) {
  constexpr std::int64_t most = 2048;
  constexpr int warps = 8;
  __shared__ std::int64_t kept[32 * warps];
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  const int each = share < warps ? 1 : share / warps;
  const int within = static_cast<int>(threadIdx.x / 32) * each, own = within + static_cast<int>(threadIdx.x % 32);
  const std::int64_t block = blockIdx.x * std::int64_t{share}, first = block + within;
  const std::int64_t end = block + share < points ? block + share : points;
  const std::int64_t limit = first + each < end ? first + each : end;
  const std::int64_t elements = block + own < limit ? length(block + own) : 0;
  if (elements >= most) kept[atomicAdd(&count, 1)] = block + own;
  const std::int64_t total = combineWithin<32>(elements < most ? elements : 0, Sum());
  const std::int64_t rows = limit - first;
  if (total <= 6 * rows)
    shareRows<2>(first, limit, most, length, run);
  else if (total <= 24 * rows)
    shareRows<8>(first, limit, most, length, run);
  else
    shareRows<32>(first, limit, most, length, run);
  __syncthreads();
  for (int k = 0; k < count; ++k) run(std::integral_constant<int, 32 * warps>(), kept[k]);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_EACH_ROW
