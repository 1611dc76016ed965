#ifndef POLYMEND_RT_LOAD_ROWS
#define POLYMEND_RT_LOAD_ROWS

#include "load_matrix.cuh"
#include "matrix_at.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// Blocks of 16 rows and 16 terms of a left factor, number `step` along the sum, one below the other: four words each.
/// The tile has a row for each of them, or one for each term if `turned`.
template <bool turned, int panelBytes, int count>
__device__ __forceinline__ void loadRows(std::uint32_t (&words)[count], std::uint32_t left, int step) {
#pragma unroll
  for (int block = 0; block < count / 4; ++block)
    loadMatrix<turned>(words + 4 * block, matrixAt<panelBytes>(left, turned ? step : block, turned ? block : step));
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_LOAD_ROWS
