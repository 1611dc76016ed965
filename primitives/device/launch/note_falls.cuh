#ifndef POLYMEND_RT_NOTE_FALLS
#define POLYMEND_RT_NOTE_FALLS

#include <cstdint>

namespace polymend_rt {
namespace {

/// Makes a word that was 0 another where one of the elements [first, limit] of an array is less than the one before it,
/// all blocks of a launch together.
template <class T>
__device__ inline void noteFalls(const T *array, std::int64_t first, std::int64_t limit, unsigned long long *word) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  bool any = false;
  for (std::int64_t i = first + static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < limit; i += step)
    any = any || array[i + 1] < array[i];
  if (any) atomicMax(word, 1ull);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_NOTE_FALLS
