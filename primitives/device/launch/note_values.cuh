#ifndef POLYMEND_RT_NOTE_VALUES
#define POLYMEND_RT_NOTE_VALUES

#include "interval.h"
#include "note_extremes.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// Notes the least and the greatest value of some elements of an array in two words that were 0, all blocks of a launch
/// together: numbers of the order of the values, the first the greatest's, the second the complement of the least's.
template <class T>
__device__ inline void noteValues(const T *array, const Interval &elements, unsigned long long *words) {
  constexpr int threads = 256;
  if (!elements.known || elements.empty()) return;
  unsigned long long most = 0, least = 0;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * threads;
  const std::int64_t first = elements.least + static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  for (std::int64_t i = first; i <= elements.most; i += step) {
    const auto number = numberOf(static_cast<std::int64_t>(array[i]));
    most = number > most ? number : most;
    least = ~number > least ? ~number : least;
  }
  noteExtremes(most, least, words);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_NOTE_VALUES
