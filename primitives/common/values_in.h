#ifndef POLYMEND_RT_VALUES_IN
#define POLYMEND_RT_VALUES_IN

#include "interval.h"

#include <cstdint>

namespace polymend_rt {
namespace {

/// From the least to the greatest value of some elements of an array.
template <class T> Interval valuesIn(const T *array, const Interval &elements) {
  if (!elements.known || elements.empty()) return elements;
  std::int64_t least = INT64_MAX, most = INT64_MIN;
#if defined(_OPENMP)
#pragma omp parallel for simd reduction(min : least) reduction(max : most) if (elements.count() > 65536)
#endif
  for (std::int64_t i = elements.least; i <= elements.most; ++i) {
    const auto value = static_cast<std::int64_t>(array[i]);
    least = value < least ? value : least;
    most = value > most ? value : most;
  }
  return Interval::from(least, most);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_VALUES_IN
