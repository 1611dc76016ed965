#ifndef POLYMEND_RT_WITH_GROUP
#define POLYMEND_RT_WITH_GROUP

#include "held_by.cuh"

#include <cstdint>
#include <type_traits>

namespace polymend_rt {
namespace {

/// Calls `start` with the group that runs each of `points`: the smallest that holds `length` elements at once, as far
/// as 4096 elements; larger where there are too few points to fill a device. Within a warp groups are of 2 threads, for
/// rows of 16 elements at most, or of 8.
template <int fours, class Start>
inline cudaError_t withGroup(std::int64_t points, std::int64_t length, const Start &start) {
  int group = length <= 16 ? 2 : 8;
  while (group < 256 && ((length > heldBy(group, fours) && heldBy(group, fours) < 4096) ||
                         (length > group * 4 && points < 262144 / group)))
    group *= group < 32 ? 4 : 2;
  switch (group) {
  case 2: return start(std::integral_constant<int, 2>());
  case 8: return start(std::integral_constant<int, 8>());
  case 32: return start(std::integral_constant<int, 32>());
  case 64: return start(std::integral_constant<int, 64>());
  case 128: return start(std::integral_constant<int, 128>());
  default: return start(std::integral_constant<int, 256>());
  }
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_WITH_GROUP
