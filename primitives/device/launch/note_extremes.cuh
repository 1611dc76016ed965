#ifndef POLYMEND_RT_NOTE_EXTREMES
#define POLYMEND_RT_NOTE_EXTREMES

#include <cstdint>

namespace polymend_rt {
namespace {

/// The number of a value in the order of values, and its complement: 0 stands for none.
__device__ inline unsigned long long numberOf(std::int64_t value) {
  return static_cast<unsigned long long>(value) ^ (1ull << 63);
}

/// Notes the greatest of all threads' numbers, and the greatest complement of one, in two words that were 0, all blocks
/// of 256 threads of a launch together. Every thread of a block calls it.
__device__ inline void noteExtremes(unsigned long long most, unsigned long long least, unsigned long long *words) {
  constexpr int threads = 256;
  __shared__ unsigned long long greatest[threads];
  __shared__ unsigned long long complement[threads];
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

#endif // POLYMEND_RT_NOTE_EXTREMES
