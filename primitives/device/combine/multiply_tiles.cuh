#ifndef POLYMEND_RT_MULTIPLY_TILES
#define POLYMEND_RT_MULTIPLY_TILES

#include "fused_multiply_add.cuh"

#include <type_traits>

namespace polymend_rt {
namespace {

/// Four neighbours as one access, or as two; `from` is aligned to 16 bytes.
template <class T> __device__ inline void loadFour(T *to, const T *from) {
  if constexpr (sizeof(T) == sizeof(float)) {
    const float4 four = *reinterpret_cast<const float4 *>(from);
    to[0] = four.x;
    to[1] = four.y;
    to[2] = four.z;
    to[3] = four.w;
  } else {
    const double2 low = reinterpret_cast<const double2 *>(from)[0], high = reinterpret_cast<const double2 *>(from)[1];
    to[0] = low.x;
    to[1] = low.y;
    to[2] = high.x;
    to[3] = high.y;
  }
}

/// a(i, d) for d = sum to sum + 3: where `a` gives pointers the four stand side by side.
template <class T, class A> __device__ inline void loadAlongSum(T *to, const A &a, int i, int sum) {
  if constexpr (std::is_pointer<decltype(a(0, 0))>::value)
    loadFour(to, a(i, sum));
  else
    for (int k = 0; k < 4; ++k) to[k] = a(i, sum + k);
}

/// b(d, j) for j = column to column + 3.
template <class T, class B> __device__ inline void loadAlongColumn(T *to, const B &b, int sum, int column) {
  if constexpr (std::is_pointer<decltype(b(0, 0))>::value)
    loadFour(to, b(sum, column));
  else
    for (int k = 0; k < 4; ++k) to[k] = b(sum, column + k);
}

template <class T, class A> __device__ inline T element(const A &a, int i, int sum) {
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
  using T = typename std::remove_pointer<decltype(c(0, 0))>::type;
  for (int block = thread; block < rows / Height * (columns / 4); block += 256) {
    const int i = block / (columns / 4) * Height, j = block % (columns / 4) * 4;
    T sums[Height][4] = {};
    int d = first;
    for (; d + 4 <= limit; d += 4) {
      T left[Height][4], right[4][4];
#pragma unroll
      for (int r = 0; r < Height; ++r) loadAlongSum(left[r], a, i + r, d);
#pragma unroll
      for (int k = 0; k < 4; ++k) loadAlongColumn(right[k], b, d + k, j);
#pragma unroll
      for (int k = 0; k < 4; ++k)
#pragma unroll
        for (int r = 0; r < Height; ++r)
#pragma unroll
          for (int q = 0; q < 4; ++q) sums[r][q] = fusedMultiplyAdd(left[r][k], right[k][q], sums[r][q]);
    }
    for (; d < limit; ++d) {
      T right[4];
      loadAlongColumn(right, b, d, j);
#pragma unroll
      for (int r = 0; r < Height; ++r) {
        const T left = element<T>(a, i + r, d);
#pragma unroll
        for (int q = 0; q < 4; ++q) sums[r][q] = fusedMultiplyAdd(left, right[q], sums[r][q]);
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
