#ifndef POLYMEND_RT_MULTIPLY_TILES
#define POLYMEND_RT_MULTIPLY_TILES

#include <cmath>
#include <type_traits>

namespace polymend_rt {
namespace {

/// Four neighbours as one access; `from` is aligned to 16 bytes.
__device__ inline void loadFour(float *to, const float *from) {
  const float4 four = *reinterpret_cast<const float4 *>(from);
  to[0] = four.x;
  to[1] = four.y;
  to[2] = four.z;
  to[3] = four.w;
}

/// a(i, d) for d = sum to sum + 3: where `a` gives pointers the four stand side by side.
template <class A> __device__ inline void loadAlongSum(float *to, const A &a, int i, int sum) {
  if constexpr (std::is_pointer<decltype(a(0, 0))>::value)
    loadFour(to, a(i, sum));
  else
    for (int k = 0; k < 4; ++k) to[k] = a(i, sum + k);
}

/// b(d, j) for j = column to column + 3.
template <class B> __device__ inline void loadAlongColumn(float *to, const B &b, int sum, int column) {
  if constexpr (std::is_pointer<decltype(b(0, 0))>::value)
    loadFour(to, b(sum, column));
  else
    for (int k = 0; k < 4; ++k) to[k] = b(sum, column + k);
}

template <class A> __device__ inline float element(const A &a, int i, int sum) {
  if constexpr (std::is_pointer<decltype(a(0, 0))>::value)
    return *a(i, sum);
  else
    return a(i, sum);
}

/// *c(i, j) += the sum of a(i, d) * b(d, j) over first <= d < limit, where keeps(i, j), for i in [0, rows) and j in
/// [0, columns), by 256 threads, of which this is number `thread`. Blocks of Height x 4 sums stay in registers.
template <int Height, int rows, int columns, class Keeps, class C, class A, class B>
__device__ inline void multiplyTiles(int thread, int first, int limit, const Keeps &keeps, const C &c, const A &a,
                                     const B &b) {
  for (int block = thread; block < rows / Height * (columns / 4); block += 256) {
    const int i = block / (columns / 4) * Height, j = block % (columns / 4) * 4;
    float sums[Height][4] = {};
    int d = first;
    for (; d + 4 <= limit; d += 4) {
      float left[Height][4], right[4][4];
#pragma unroll
      for (int r = 0; r < Height; ++r) loadAlongSum(left[r], a, i + r, d);
#pragma unroll
      for (int k = 0; k < 4; ++k) loadAlongColumn(right[k], b, d + k, j);
#pragma unroll
      for (int k = 0; k < 4; ++k)
#pragma unroll
        for (int r = 0; r < Height; ++r)
#pragma unroll
          for (int q = 0; q < 4; ++q) sums[r][q] = ::fmaf(left[r][k], right[k][q], sums[r][q]);
    }
    for (; d < limit; ++d) {
      float right[4];
      loadAlongColumn(right, b, d, j);
#pragma unroll
      for (int r = 0; r < Height; ++r) {
        const float left = element(a, i + r, d);
#pragma unroll
        for (int q = 0; q < 4; ++q) sums[r][q] = ::fmaf(left, right[q], sums[r][q]);
      }
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

#endif // POLYMEND_RT_MULTIPLY_TILES
