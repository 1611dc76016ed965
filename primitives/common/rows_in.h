#ifndef POLYMEND_RT_ROWS_IN
#define POLYMEND_RT_ROWS_IN

#include "interval.h"

#include <cstdint>

namespace polymend_rt {
namespace {

/// What the rows hold that are [first[i], limit[j]) for as many elements i of the one array and j of the other: from
/// the first element of any to the last of any, but for rows that have none.
template <class T, class U>
Interval rowsIn(const T *first, const Interval &begins, const U *limit, const Interval &ends) {
  if (!begins.known || !ends.known) return Interval::unknown();
  std::int64_t least = INT64_MAX, most = INT64_MIN;
  const std::int64_t rows = begins.count();
#if defined(_OPENMP)
#pragma omp parallel for simd reduction(min : least) reduction(max : most) if (rows > 65536)
#endif
  for (std::int64_t i = 0; i < rows; ++i) {
    const auto begin = static_cast<std::int64_t>(first[begins.least + i]);
    const auto end = static_cast<std::int64_t>(limit[ends.least + i]);
    least = begin < end && begin < least ? begin : least;
    most = begin < end && end > most ? end : most;
  }
  return least > most ? Interval() : Interval::from(least, most - 1);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_ROWS_IN
