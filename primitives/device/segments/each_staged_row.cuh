#ifndef POLYMEND_RT_EACH_STAGED_ROW
#define POLYMEND_RT_EACH_STAGED_ROW

#include "combine_group.cuh"
#include "maximum.cuh"

#include <cstdint>
#include <type_traits>

namespace polymend_rt {
namespace {

/// Elements of rows, by place: what a block has of them in shared memory.
template <class T> struct StagedElements {
  const T *held;
  std::int64_t first;
  __device__ __forceinline__ T operator[](std::int64_t element) const { return held[element - first]; }
};

/// Elements of rows, by place: computed where they are asked for.
template <class Term> struct ComputedElements {
  const Term &term;
  __device__ __forceinline__ auto operator[](std::int64_t element) const { return term(element); }
};

/// Calls run(threads, elements, point) for each of the block's `share` points, at most 256, whose elements are
/// [begin(point), begin(point + 1)). Where all rows are short, a thread runs each, straight from memory; else as many
/// rows at a time as shared memory has room for are staged, short ones run by a thread each, others by a warp, and the
/// block runs what is longer. Where the block's rows do not follow one another, as an end lies before its beginning,
/// nothing is staged. All threads of a block of 256 call this.
template <class T, class Begin, class Term, class Run>
__device__ __forceinline__ void eachStagedRow(std::int64_t points, int share, const Begin &begin, const Term &term,
                                              const Run &run) {
  constexpr int threads = 256, size = 16384 / sizeof(T), longest = 32, together = 2;
  constexpr int shortRow = 12;
  __shared__ T held[size];
  __shared__ int list[threads];
  __shared__ int listed;
  const int thread = static_cast<int>(threadIdx.x), warp = thread / 32;
  const std::integral_constant<int, 32> ofWarp;
  const std::int64_t first = blockIdx.x * std::int64_t{share};
  const int rows = static_cast<int>(points - first < share ? points - first : share);
  const std::int64_t low = begin(first + (thread < rows ? thread : rows));
  const std::int64_t high = begin(first + (thread < rows ? thread + 1 : rows));
  const ComputedElements<Term> computed{term};
  int turn = 0;
  if (!__syncthreads_or(high - low > shortRow)) {
    if (thread < rows) run(std::integral_constant<int, 1>(), computed, first + thread);
    return;
  }
  if (__syncthreads_or(high < low)) {
    for (int row = warp; row < rows; row += threads / 32) run(ofWarp, computed, first + row);
    return;
  }
  for (int row = 0; row < rows;) {
    const std::int64_t start = begin(first + row);
    const bool fits = thread >= row && thread < rows && high - start <= size;
    const int limit = combineGroup<threads>(fits ? thread + 1 : 0, Maximum(), turn);
    if (limit <= row) {
      run(std::integral_constant<int, threads>(), computed, first + row);
      ++row;
      continue;
    }
    const int count = static_cast<int>(begin(first + limit) - start);
    if (thread == 0) listed = 0;
    for (int at = thread; at < count; at += threads * together) {
      T values[together];
#pragma unroll
      for (int u = 0; u < together; ++u) {
        const int k = at + threads * u;
        values[u] = term(start + (k < count ? k : count - 1));
      }
#pragma unroll
      for (int u = 0; u < together; ++u)
        if (at + threads * u < count) held[at + threads * u] = values[u];
    }
    __syncthreads();
    const StagedElements<T> staged{held, start};
    if (thread >= row && thread < limit) {
      if (high - low <= longest)
        run(std::integral_constant<int, 1>(), staged, first + thread);
      else
        list[atomicAdd(&listed, 1)] = thread;
    }
    __syncthreads();
    for (int k = warp; k < listed; k += threads / 32) run(ofWarp, staged, first + list[k]);
    __syncthreads();
    row = limit;
  }
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_EACH_STAGED_ROW
