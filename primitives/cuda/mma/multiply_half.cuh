#ifndef POLYMEND_RT_MULTIPLY_HALF
#define POLYMEND_RT_MULTIPLY_HALF

#include "load_matrix.cuh"
#include "matrix_at.cuh"
#include "mma_half.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// sums += left * right for a warp: blocks of 16 x columns sums, one below the other, of 16 products in f16, number
/// `step` along the sum. The right factor is a tile with a row for each of its columns, or one for each product if
/// `across`; as many warps as there are blocks take 16 of its columns each in turn.
template <int columns, bool across, int panelBytes, int count>
__device__ __forceinline__ void multiplyHalf(float (&sums)[count], const std::uint32_t *left, std::uint32_t right,
                                             int step) {
  constexpr int blocks = 2 * count / columns;
#pragma unroll
  for (int n = 0; n < columns / 16; ++n) {
    std::uint32_t words[4];
    loadMatrix<across>(words, matrixAt<panelBytes>(right, across ? step : blocks * n, across ? blocks * n : step));
#pragma unroll
    for (int block = 0; block < blocks; ++block) {
      mmaHalf(sums + count / blocks * block + 8 * n, left + 4 * block, words[0], words[1]);
      mmaHalf(sums + count / blocks * block + 8 * n + 4, left + 4 * block, words[2], words[3]);
    }
  }
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_MULTIPLY_HALF
