#ifndef POLYMEND_RT_WITH_TURNS
#define POLYMEND_RT_WITH_TURNS

#include <cstdint>
#include <type_traits>

namespace polymend_rt {
namespace {

/// Calls `start` with the group that runs each of `points`, whose neighbours read neighbours: one thread, or more where
/// there are too few points to fill a device, and each has more elements than that. Groups that stand `apart` may be of
/// 128 threads.
template <bool apart, class Start>
inline cudaError_t withTurns(std::int64_t points, std::int64_t length, const Start &start) {
  constexpr std::int64_t fill = 131072;
  if (points >= fill || length <= 32) return start(std::integral_constant<int, 1>());
  if (points >= fill / 8 || length <= 256) return start(std::integral_constant<int, 8>());
  if (points >= fill / 64 || length <= 1024) return start(std::integral_constant<int, 32>());
  if constexpr (apart)
    if (points >= fill / 512) return start(std::integral_constant<int, 128>());
  return start(std::integral_constant<int, 256>());
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_WITH_TURNS
