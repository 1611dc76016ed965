#ifndef POLYMEND_RT_WINDOW
#define POLYMEND_RT_WINDOW

#include "held.cuh"
#include "window_pieces.cuh"

#include <cstdint>
#include <cuda_pipeline_primitives.h>

namespace polymend_rt {
namespace {

/// What a group holds of a run that it reads again. The run's first pieces stay in shared memory, each thread's fours
/// where no other thread looks; all of them are on their way from the first piece that is asked for.
template <int group, int fours, class T> class Window : public Held<group, fours, T> {
public:
  __device__ __forceinline__ Window(void *begin, int pieces) : kept(static_cast<T *>(begin)), room(pieces) {}
  /// The next piece begins another run.
  __device__ __forceinline__ void forget() { run = nullptr; }
  /// As Held, in a run of which `more` elements are left at `from`.
  __device__ __forceinline__ void hold(const T *from, std::int64_t count, std::int64_t more) {
    if constexpr (group == largestGroup) {
      if (run == nullptr && room > 0) begin(from, more);
      const int wanted = count < heldBy(group, fours) ? static_cast<int>(count) : heldBy(group, fours);
      const std::int64_t at = run == nullptr ? -1 : from - run;
      if (0 <= at && at + wanted <= filled && at % heldBy(group, fours) == 0) {
        if (from == this->start && wanted == this->length) return;
        this->start = from;
        this->length = wanted;
        return fetch(static_cast<int>(at) / heldBy(group, fours));
      }
    }
    Held<group, fours, T>::hold(from, count);
  }

private:
  __device__ __forceinline__ void begin(const T *from, std::int64_t more) {
    __pipeline_wait_prior(0);
    run = from;
    const std::int64_t all = (more - 1) / heldBy(group, fours) + 1;
    pieces = all < room ? static_cast<int>(all) : room;
    filled = pieces * heldBy(group, fours);
    if (more < filled) filled = static_cast<int>(more);
    const bool aligned = isAligned(from);
    constexpr int neighbours = sizeof(Four<T>) < 16 ? 4 : 16 / sizeof(T);
    for (int piece = 0; piece < pieces; ++piece) {
#pragma unroll
      for (int four = 0; four < fours; ++four) {
        const int at = place(piece, four);
        if (aligned && at + 4 <= filled) {
#pragma unroll
          for (int k = 0; k < 4; k += neighbours)
            __pipeline_memcpy_async(kept + at + k, from + at + k, neighbours * sizeof(T));
        } else {
#pragma unroll
          for (int k = 0; k < 4; ++k)
            if (at + k < filled) kept[at + k] = from[at + k];
        }
      }
      __pipeline_commit();
    }
  }
  __device__ __forceinline__ void fetch(int piece) {
    const int later = pieces - 1 - piece;
    if (later >= 3)
      __pipeline_wait_prior(3);
    else if (later == 2)
      __pipeline_wait_prior(2);
    else if (later == 1)
      __pipeline_wait_prior(1);
    else
      __pipeline_wait_prior(0);
#pragma unroll
    for (int four = 0; four < fours; ++four) {
      const Four<T> read = *reinterpret_cast<const Four<T> *>(kept + place(piece, four));
#pragma unroll
      for (int k = 0; k < 4; ++k) this->values[4 * four + k] = read.of[k];
    }
  }
  __device__ __forceinline__ int place(int piece, int four) const {
    return piece * heldBy(group, fours) + (four * group + static_cast<int>(threadIdx.x % group)) * 4;
  }
  T *const kept;
  const int room;
  const T *run = nullptr;
  int pieces = 0, filled = 0;
};

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_WINDOW
