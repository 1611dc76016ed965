#ifndef POLYMEND_RT_MULTIPLY_DOUBLE
#define POLYMEND_RT_MULTIPLY_DOUBLE

#include "load_share.cuh"
#include "mma_double.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// sums += left * right for a warp: blocks of 16 x columns sums, one below the other, of 8 products, number `step`
/// along the sum. The left factor lies as sums do. The right one is a tile with a row for each of its columns, or one
/// for each product if `across`; as many warps as there are blocks take 16 of its columns each in turn.
template <int columns, bool across, int panelBytes, int count>
__device__ __forceinline__ void multiplyDouble(double (&sums)[count], const double *left, std::uint32_t right,
                                               int step) {
  constexpr int blocks = 2 * count / columns;
#pragma unroll
  for (int n = 0; n < columns / 8; ++n) {
    double even, odd;
    const int eight = n / 2 * 2 * blocks + n % 2;
    loadShare<across, panelBytes>(even, odd, right, across ? step : eight, across ? eight : step);
#pragma unroll
    for (int block = 0; block < blocks; ++block)
      mmaDouble(sums + count / blocks * block + 4 * n, left[4 * block], left[4 * block + 2], even);
#pragma unroll
    for (int block = 0; block < blocks; ++block)
      mmaDouble(sums + count / blocks * block + 4 * n, left[4 * block + 1], left[4 * block + 3], odd);
  }
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_MULTIPLY_DOUBLE
