#ifndef POLYMEND_RT_WINDOW_OF_ROWS
#define POLYMEND_RT_WINDOW_OF_ROWS

#include "combine_within.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// Elements of consecutive rows in shared memory, loaded by neighbouring threads, and the rows folded from there: a
/// thread a row, a warp where it is longer.
template <int threads, int size, int each, class T> struct WindowOfRows {
  static constexpr int longest = 32, together = 8, own = size / threads;
  T (&held)[size];
  int (&list)[size / longest][2];
  int (&listed)[2];
  int turn = 0;
  std::int64_t first = 0;
  int count = 0, from[each] = {}, to[each] = {};

  /// Elements [begin, begin + elements), at least one. Calls `meanwhile`, which calls find(), while they are on their
  /// way. A barrier lies between this and what was done before with the window.
  template <class Term, class Meanwhile>
  __device__ __forceinline__ void load(std::int64_t begin, int elements, const Term &term, const Meanwhile &meanwhile) {
    static_assert(size % threads == 0);
    first = begin;
    count = elements;
    const int thread = static_cast<int>(threadIdx.x);
    T values[own];
#pragma unroll
    for (int part = 0; part < own; part += together)
      if (part == 0 || threads * part < count) {
#pragma unroll
        for (int u = part; u < part + together && u < own; ++u) {
          const int k = thread + threads * u;
          values[u] = term(first + (k < count ? k : count - 1));
        }
      }
    meanwhile();
#pragma unroll
    for (int u = 0; u < own; ++u)
      if (thread + threads * u < count) held[thread + threads * u] = values[u];
    __syncthreads();
  }

  /// What the window has of the thread's rows: those from `row` on, a block's width apart, below `limit`.
  template <class Begin>
  __device__ __forceinline__ void find(std::int64_t row, std::int64_t limit, const Begin &begin) {
#pragma unroll
    for (int m = 0; m < each; ++m) {
      const std::int64_t at = row + threadIdx.x + m * threads;
      from[m] = at < limit ? within(begin(at)) : count;
      to[m] = at < limit ? within(begin(at + 1)) : count;
      if (to[m] - from[m] <= longest) continue;
      int(&row)[2] = list[atomicAdd(&listed[turn], 1)];
      row[0] = from[m];
      row[1] = to[m];
    }
  }

  /// Adds to each sum what the window has of the thread's row of that number.
  template <class Combine> __device__ __forceinline__ void fold(T (&sums)[each], const Combine &combine, T neutral) {
    const int rows = listed[turn], lane = static_cast<int>(threadIdx.x % 32);
    turn ^= 1;
    if (threadIdx.x == 0) listed[turn] = 0;
    for (int k = static_cast<int>(threadIdx.x / 32); k < rows; k += threads / 32) {
      const int begin = list[k][0], end = list[k][1];
      T part = neutral;
#pragma unroll 4
      for (int at = begin + lane; at < end; at += 32) part = combine(part, held[at]);
      part = combineWithin<32>(part, combine);
      if (lane == 0) held[begin] = part;
    }
    if (rows > 0) __syncthreads();
#pragma unroll
    for (int m = 0; m < each; ++m) {
      const int end = to[m] - from[m] > longest ? from[m] + 1 : to[m];
      for (int at = from[m]; at < end; ++at) sums[m] = combine(sums[m], held[at]);
    }
  }

private:
  __device__ __forceinline__ int within(std::int64_t element) const {
    const std::int64_t at = element - first;
    return at < 0 ? 0 : at < count ? static_cast<int>(at) : count;
  }
};

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_WINDOW_OF_ROWS
