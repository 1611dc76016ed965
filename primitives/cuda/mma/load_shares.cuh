#ifndef POLYMEND_RT_LOAD_SHARES
#define POLYMEND_RT_LOAD_SHARES

#include "load_share.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// Blocks of 16 rows and 8 terms of a left factor, number `step` along the sum, one below the other: this thread's
/// share of the upper eight rows of each and of the lower ones. The tile has a row for each of them, or one for each
/// term if `turned`.
template <bool turned, int panelBytes, class Element, int count>
__device__ __forceinline__ void loadShares(Element (&shares)[count], std::uint32_t left, int step) {
#pragma unroll
  for (int half = 0; half < count / 2; ++half)
    loadShare<turned, panelBytes>(shares[2 * half], shares[2 * half + 1], left, turned ? step : half,
                                  turned ? half : step);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_LOAD_SHARES
