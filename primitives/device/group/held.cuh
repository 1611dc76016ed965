#ifndef POLYMEND_RT_HELD
#define POLYMEND_RT_HELD

#include "four.cuh"
#include "held_by.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// What a group holds of a run of memory: its threads take the fours of the run in turn.
template <int group, int fours, class T> class Held {
public:
  /// Holds the elements from[0], ..., count of them or as many as there is room for; reads none that it holds already.
  __device__ __forceinline__ void hold(const T *from, std::int64_t count) {
    const int wanted = count < heldBy(group, fours) ? static_cast<int>(count) : heldBy(group, fours);
    if (from == start && wanted == length) return;
    start = from;
    length = wanted;
    const int first = static_cast<int>(threadIdx.x % group) * 4;
    const bool aligned = isAligned(from);
    if (aligned) {
#pragma unroll
      for (int four = 0; four < fours; ++four) {
        const int at = first + four * group * 4;
        if (at + 4 > wanted) continue;
        const Four<T> read = *reinterpret_cast<const Four<T> *>(from + at);
#pragma unroll
        for (int k = 0; k < 4; ++k) values[4 * four + k] = read.of[k];
      }
    }
    if (aligned && wanted % 4 == 0) return;
#pragma unroll
    for (int four = 0; four < fours; ++four) {
      const int at = first + four * group * 4;
      if (aligned && at + 4 <= wanted) continue;
#pragma unroll
      for (int k = 0; k < 4; ++k)
        if (at + k < wanted) values[4 * four + k] = from[at + k];
    }
  }
  T values[4 * fours];

protected:
  const T *start = nullptr;
  int length = 0;
};

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_HELD
