#ifndef POLYMEND_RT_WIDEN_BRAIN
#define POLYMEND_RT_WIDEN_BRAIN

#include <cstdint>

namespace polymend_rt {
namespace {

/// The low or high half of a word, a bf16 number.
__device__ __forceinline__ float widenBrain(std::uint32_t word, int high) {
  return __uint_as_float(high ? word & 0xffff0000u : word << 16);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_WIDEN_BRAIN
