#ifndef POLYMEND_RT_MULTIPLY_FLOAT
#define POLYMEND_RT_MULTIPLY_FLOAT

#include "load_share.cuh"
#include "mma_float.cuh"
#include "round_factor.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// sums += left * right for a warp: blocks of 16 x columns sums, one below the other, of 8 products in tf32, number
/// `step` along the sum. The left factor lies as sums do. The right one is a tile with a row for each of its columns,
/// or one for each product if `across`; as many warps as there are blocks take 16 of its columns each in turn.
template <int columns, bool across, int panelBytes, int count>
__device__ __forceinline__ void multiplyFloat(float (&sums)[count], const float *left, std::uint32_t right, int step) {
  constexpr int blocks = 2 * count / columns;
  float rows[4 * blocks];
#pragma unroll
  for (int e = 0; e < 4 * blocks; ++e) rows[e] = roundFactor(left[e]);
#pragma unroll
  for (int n = 0; n < columns / 8; ++n) {
    float even, odd;
    const int eight = n / 2 * 2 * blocks + n % 2;
    loadShare<across, panelBytes>(even, odd, right, across ? step : eight, across ? eight : step);
    even = roundFactor(even);
    odd = roundFactor(odd);
#pragma unroll
    for (int block = 0; block < blocks; ++block)
      mmaFloat(sums + count / blocks * block + 4 * n, rows + 4 * block, even, odd);
  }
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_MULTIPLY_FLOAT
