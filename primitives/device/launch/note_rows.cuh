#ifndef POLYMEND_RT_NOTE_ROWS
#define POLYMEND_RT_NOTE_ROWS

#include "interval.h"
#include "note_extremes.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// Notes the first element and the last one of the rows [first[i], limit[j]), for as many elements i of the one array
/// and j of the other, but for rows that have none; the words are those of noteValues.
template <class T, class U>
__device__ inline void noteRows(const T *first, const Interval &begins, const U *limit, const Interval &ends,
                                unsigned long long *words) {
  constexpr int threads = 256;
  if (!begins.known || !ends.known || begins.empty() || ends.empty()) return;
  unsigned long long most = 0, least = 0;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * threads, rows = begins.count();
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x; i < rows; i += step) {
    const auto begin = static_cast<std::int64_t>(first[begins.least + i]);
    const auto end = static_cast<std::int64_t>(limit[ends.least + i]);
    if (begin >= end) continue;
    const auto last = numberOf(end - 1);
    const auto rest = ~numberOf(begin);
    most = last > most ? last : most;
    least = rest > least ? rest : least;
  }
  noteExtremes(most, least, words);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_NOTE_ROWS
