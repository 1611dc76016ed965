#ifndef POLYMEND_RT_MULTIPLY_RAGGED_TILES
#define POLYMEND_RT_MULTIPLY_RAGGED_TILES

#include "multiply_tiles.cuh"

#include <type_traits>

namespace polymend_rt {
namespace {

/// As multiplyTiles, where a sum runs over begins(i, j) <= d < ends(i, j) within [first, limit): both are the same for
/// all j of a row i, or for all i of a column j.
template <int Height, int rows, int columns, bool byRow, class Begins, class Ends, class Keeps, class C, class A,
          class B>
__device__ inline void multiplyRaggedTiles(int thread, int first, int limit, const Begins &begins, const Ends &ends,
                                           const Keeps &keeps, const C &c, const A &a, const B &b) {
  using T = typename std::remove_pointer<decltype(c(0, 0))>::type;
  for (int block = thread; block < rows / Height * (columns / 4); block += 256) {
    const int i = block / (columns / 4) * Height, j = block % (columns / 4) * 4;
    constexpr int count = byRow ? Height : 4;
    int from[count], to[count], begin = limit, end = first;
#pragma unroll
    for (int p = 0; p < count; ++p) {
      const auto low = byRow ? begins(i + p, j) : begins(i, j + p);
      const auto high = byRow ? ends(i + p, j) : ends(i, j + p);
      from[p] = low > first ? static_cast<int>(low < limit ? low : limit) : first;
      to[p] = high < limit ? static_cast<int>(high > first ? high : first) : limit;
      if (from[p] < begin) begin = from[p];
      if (to[p] > end) end = to[p];
    }
    T sums[Height][4] = {};
#pragma unroll 4
    for (int d = begin; d < end; ++d) {
      T left[Height], right[4];
      loadAlongColumn(right, b, d, j);
#pragma unroll
      for (int r = 0; r < Height; ++r) left[r] = element<T>(a, i + r, d);
#pragma unroll
      for (int r = 0; r < Height; ++r)
#pragma unroll
        for (int q = 0; q < 4; ++q)
          if (from[byRow ? r : q] <= d && d < to[byRow ? r : q])
            sums[r][q] = fusedMultiplyAdd(left[r], right[q], sums[r][q]);
    }
#pragma unroll
    for (int r = 0; r < Height; ++r)
#pragma unroll
      for (int q = 0; q < 4; ++q)
        if (keeps(i + r, j + q)) *c(i + r, j + q) += sums[r][q];
  }
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_MULTIPLY_RAGGED_TILES
