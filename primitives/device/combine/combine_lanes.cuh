#ifndef POLYMEND_RT_COMBINE_LANES
#define POLYMEND_RT_COMBINE_LANES

#include "neighbour.cuh"

namespace polymend_rt {
namespace {

/// Combines the values of `Lanes` neighbouring threads, at most 32; each of them gets the result.
template <int Lanes, class T, class Combine> __device__ inline T combineLanes(T value, Combine combine) {
  for (int distance = Lanes / 2; distance > 0; distance /= 2) value = combine(value, neighbour(value, distance));
  return value;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_COMBINE_LANES
