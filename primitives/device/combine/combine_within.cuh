#ifndef POLYMEND_RT_COMBINE_WITHIN
#define POLYMEND_RT_COMBINE_WITHIN

#include "neighbour_within.cuh"

namespace polymend_rt {
namespace {

/// Combines the values of `lanes` neighbouring threads of a warp, whatever its others do; each of them gets the result.
template <int lanes, class T, class Combine> __device__ inline T combineWithin(T value, Combine combine) {
  for (int distance = lanes / 2; distance > 0; distance /= 2)
    value = combine(value, neighbourWithin<lanes>(value, distance));
  return value;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_COMBINE_WITHIN
