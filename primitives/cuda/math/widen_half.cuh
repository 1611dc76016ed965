#ifndef POLYMEND_RT_WIDEN_HALF
#define POLYMEND_RT_WIDEN_HALF

#include <cstdint>
#include <cuda_fp16.h>

namespace polymend_rt {
namespace {

/// The low or high half of a word, an f16 number.
__device__ __forceinline__ float widenHalf(std::uint32_t word, int high) {
  __half2 pair;
  memcpy(&pair, &word, sizeof pair);
  return high ? __high2float(pair) : __low2float(pair);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_WIDEN_HALF
