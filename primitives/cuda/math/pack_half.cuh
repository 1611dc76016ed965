#ifndef POLYMEND_RT_PACK_HALF
#define POLYMEND_RT_PACK_HALF

#include <cstdint>
#include <cuda_fp16.h>

namespace polymend_rt {
namespace {

/// Two numbers rounded to nearest even, as f16, the first in the low half.
__device__ __forceinline__ std::uint32_t packHalf(float low, float high) {
  const __half2 pair = __floats2half2_rn(low, high);
  std::uint32_t bits;
  memcpy(&bits, &pair, sizeof bits);
  return bits;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_PACK_HALF
