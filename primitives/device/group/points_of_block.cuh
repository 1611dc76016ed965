#ifndef POLYMEND_RT_POINTS_OF_BLOCK
#define POLYMEND_RT_POINTS_OF_BLOCK

#include <cstdint>

namespace polymend_rt {
namespace {

/// How many of so many points a block of 256 threads runs whose rows have lengths of their own: as many as threads, or
/// fewer where blocks would not fill a device; one alone where points are few.
inline int pointsOfBlock(std::int64_t points) {
  constexpr std::int64_t blocks = 1056;
  if (points < 8 * blocks) return 1;
  int share = 256;
  while (share > 8 && points < share * blocks) share /= 2;
  return share;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_POINTS_OF_BLOCK
