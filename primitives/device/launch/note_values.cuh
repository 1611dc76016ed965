#ifndef POLYMEND_RT_NOTE_VALUES
#define POLYMEND_RT_NOTE_VALUES

#include "interval.h"

#include <cstdint>

namespace polymend_rt {
namespace {

/// Notes the least and the greatest value of some elements of an array in two words that were 0, all blocks of a launch
/// together: numbers of the order of the values, the first the greatest's, the second the complement of the least's.
template <class T>
__device__ inline void noteValues(const T *array, const Interval &elements, unsigned long long *words) {
  constexpr int threads = 256;
  __shared__ unsigned long long greatest[threads];
  __shared__ unsigned long long complement[threads];
  if (!elements.known || elements.empty()) return;
  unsigned long long most = 0, least = 0;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * threads;
  const std::int64_t first = elements.least + static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  for (std::int64_t i = first; i <= elements.most; i += step) {
    const auto number = static_cast<unsigned long long>(static_cast<std::int64_t>(array[i])) ^ (1ull << 63);
    most = number > most ? number : most;
    least = ~number > least ? ~number : least;
  }
  greatest[threadIdx.x] = most;
  complement[threadIdx.x] = least;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int i = 1; i < threads; ++i) {
    most = greatest[i] > most ? greatest[i] : most;
    least = complement[i] > least ? complement[i] : least;
  }
  atomicMax(words, most);
  atomicMax(words + 1, least);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_NOTE_VALUES
