#ifndef POLYMEND_RT_GIVEN_PLACE
#define POLYMEND_RT_GIVEN_PLACE

#include <cstdint>

namespace polymend_rt {
namespace {

/// Where data say that a copy begins, as the engine takes it; what it cannot take ends the kernel: before an array's
/// first element the engine would find zeros where there is memory.
__device__ __forceinline__ int givenPlace(std::int64_t place) {
  constexpr std::int64_t last = 2147483647 - 256;
  if (place < 0 || place > last) __trap();
  return static_cast<int>(place);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_GIVEN_PLACE
