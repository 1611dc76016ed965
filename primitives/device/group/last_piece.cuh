#ifndef POLYMEND_RT_LAST_PIECE
#define POLYMEND_RT_LAST_PIECE

#include "held_by.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// Where the last piece of [first, limit) begins; before `first` where there is none.
template <int group, int fours> __device__ inline std::int64_t lastPiece(std::int64_t first, std::int64_t limit) {
  if (limit <= first) return first - heldBy(group, fours);
  return first + (limit - first - 1) / heldBy(group, fours) * heldBy(group, fours);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_LAST_PIECE
