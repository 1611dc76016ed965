#ifndef POLYMEND_RT_PACK_BRAIN
#define POLYMEND_RT_PACK_BRAIN

#include <cstdint>
#include <cuda_bf16.h>

namespace polymend_rt {
namespace {

/// Two numbers rounded to nearest even, as bf16, the first in the low half.
__device__ __forceinline__ std::uint32_t packBrain(float low, float high) {
  const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
  std::uint32_t bits;
  memcpy(&bits, &pair, sizeof bits);
  return bits;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_PACK_BRAIN
