// Primitives of code that runs on a device: integers, monoids, reductions among threads, the register-blocked product.
// `$` stands for the prefix of the target's runtime.
#include "texts.h"

namespace polymend::print_room::texts {

const std::string_view deviceFloorDiv = R"cpp(/// The quotient rounded towards minus infinity.
__host__ __device__ inline std::int64_t floorDiv(std::int64_t a, std::int64_t b) {
  return a / b - ((a % b != 0 && (a % b < 0) != (b < 0)) ? 1 : 0);
}
)cpp";

const std::string_view deviceFloorMod = R"cpp(/// The remainder that has the sign of the divisor.
__host__ __device__ inline std::int64_t floorMod(std::int64_t a, std::int64_t b) { return a - floorDiv(a, b) * b; }
)cpp";

const std::string_view least =
    R"cpp(template <class T> __host__ __device__ inline T least(T a, T b) { return b < a ? b : a; }
)cpp";

const std::string_view most =
    R"cpp(template <class T> __host__ __device__ inline T most(T a, T b) { return a < b ? b : a; }
)cpp";

const std::string_view deviceMultiplyAdd = R"cpp(/// a * b + c, rounded once.
template <class T> __device__ inline T multiplyAdd(T a, T b, T c) {
  if constexpr (sizeof(T) == sizeof(float))
    return ::fmaf(a, b, c);
  else
    return ::fma(a, b, c);
}
)cpp";

const std::string_view magnitude =
    R"cpp(__host__ __device__ inline std::int64_t magnitude(std::int64_t a) { return a < 0 ? -a : a; }
)cpp";

const std::string_view extent = R"cpp(/// The number of integers in [first, limit).
__host__ __device__ inline std::int64_t extent(std::int64_t first, std::int64_t limit) {
  return first < limit ? limit - first : 0;
}
)cpp";

const std::string_view add = R"cpp(struct Add {
  template <class T> __device__ T operator()(T a, T b) const { return static_cast<T>(a + b); }
};
)cpp";

const std::string_view multiplyBy = R"cpp(struct Multiply {
  template <class T> __device__ T operator()(T a, T b) const { return static_cast<T>(a * b); }
};
)cpp";

const std::string_view mostOf = R"cpp(struct Most {
  template <class T> __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
)cpp";

const std::string_view leastOf = R"cpp(struct Least {
  template <class T> __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
)cpp";

const std::string_view mostNumber = R"cpp(struct MostNumber {
  template <class T> __device__ T operator()(T a, T b) const {
    if constexpr (sizeof(T) == sizeof(float))
      return ::fmaxf(a, b);
    else
      return ::fmax(a, b);
  }
};
)cpp";

const std::string_view leastNumber = R"cpp(struct LeastNumber {
  template <class T> __device__ T operator()(T a, T b) const {
    if constexpr (sizeof(T) == sizeof(float))
      return ::fminf(a, b);
    else
      return ::fmin(a, b);
  }
};
)cpp";

const std::string_view neighbourCuda =
    R"cpp(/// The value that the thread has whose number differs in the bits of `distance`; all threads of a warp call this.
template <class T> __device__ inline T neighbour(T value, int distance) {
  return __shfl_xor_sync(0xffffffffu, value, distance);
}
)cpp";

const std::string_view neighbourHip =
    R"cpp(/// The value that the thread has whose number differs in the bits of `distance`; all threads of a wave call this.
template <class T> __device__ inline T neighbour(T value, int distance) { return __shfl_xor(value, distance, 32); }
)cpp";

const std::string_view combineLanes =
    R"cpp(/// Combines the values of `Lanes` neighbouring threads, at most 32; each of them gets the result.
template <int Lanes, class T, class Combine> __device__ inline T combineLanes(T value, Combine combine) {
  for (int distance = Lanes / 2; distance > 0; distance /= 2) value = combine(value, neighbour(value, distance));
  return value;
}
)cpp";

const std::string_view combineBlock =
    R"cpp(/// Combines the values of all threads of a block; each of them gets the same result. A barrier.
template <int threads = 256, class T, class Combine> __device__ inline T combineBlock(T value, Combine combine) {
  constexpr int groups = threads / 32;
  __shared__ T parts[groups];
  value = combineLanes<32>(value, combine);
  __syncthreads();
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  T result = parts[0];
  for (int i = 1; i < groups; ++i) result = combine(result, parts[i]);
  return result;
}
)cpp";

const std::string_view choose =
    R"cpp(/// One of two values that are both computed: no branch.
template <class T> __device__ __forceinline__ T choose(bool first, T a, T b) { return first ? a : b; }
)cpp";

const std::string_view combineFew =
    R"cpp(/// `count` terms combined with `value`, in order. Up to 8 of them are computed before the first is needed, so that what
/// they read from memory is under way together: no branch stands between them, `neutral` takes the place of those
/// beyond the last.
template <int together, class T, class Term, class Combine>
__device__ __forceinline__ T combineFewBy(T value, int count, T neutral, Term term, Combine combine) {
  for (int first = 0; first < count; first += together) {
    T terms[together];
#pragma unroll
    for (int i = 0; i < together; ++i) terms[i] = term(first + i < count ? first + i : first);
#pragma unroll
    for (int i = 0; i < together; ++i) value = combine(value, first + i < count ? terms[i] : neutral);
  }
  return value;
}

template <class T, class Term, class Combine>
__device__ __forceinline__ T combineFew(T value, int count, T neutral, Term term, Combine combine) {
  if (count == 1) return combine(value, term(0));
  return count <= 4 ? combineFewBy<4>(value, count, neutral, term, combine) : combineFewBy<8>(value, count, neutral, term, combine);
}
)cpp";

const std::string_view combineAhead =
    R"cpp(/// `count` terms, at most `together`, combined with `value`, in order; term(i) is at hand for each i below `together`.
template <int together, class T, class Term, class Combine>
__device__ __forceinline__ T combineAhead(T value, int count, T neutral, Term term, Combine combine) {
#pragma unroll
  for (int i = 0; i < together; ++i) value = combine(value, choose(i < count, term(i), neutral));
  return value;
}
)cpp";

const std::string_view combineFewInWarp =
    R"cpp(/// `count` terms combined with `value` by the lanes of each warp; all of them get the result.
template <class T, class Term, class Combine>
__device__ __forceinline__ T combineFewInWarp(T value, int count, T neutral, Term term, Combine combine) {
  T own = neutral;
  for (int i = threadIdx.x % 32; i < count; i += 32) own = combine(own, term(i));
  return combine(value, combineLanes<32>(own, combine));
}
)cpp";

const std::string_view multiplyTiles = R"cpp(/// Four neighbours as one access; `from` is aligned to 16 bytes.
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
__device__ inline void multiply(int thread, int first, int limit, const Keeps &keeps, const C &c, const A &a, const B &b) {
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
)cpp";

} // namespace polymend::print_room::texts
