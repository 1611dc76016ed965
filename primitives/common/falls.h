#ifndef POLYMEND_RT_FALLS
#define POLYMEND_RT_FALLS

#include <cstdint>

namespace polymend_rt {
namespace {

/// Whether one of the elements [first, limit] of an array is less than the one before it.
template <class T> bool falls(const T *array, std::int64_t first, std::int64_t limit) {
  int any = 0;
#if defined(_OPENMP)
#pragma omp parallel for simd reduction(| : any) if (limit - first > 65536)
#endif
  for (std::int64_t i = first; i < limit; ++i) any |= array[i + 1] < array[i] ? 1 : 0;
  return any != 0;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_FALLS
