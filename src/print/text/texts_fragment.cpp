// Primitives of values that a thread holds in registers as its share of a matrix: conversion to pairs of 16-bit
// numbers, functions by the device's own approximations, exchange among the four threads of a quad, which share rows.
#include "texts.h"

namespace polymend::print_room::texts {

const std::string_view pinRegisters =
    R"cpp(/// Nothing that reads or writes these values moves across this call: products write registers behind the compiler's
/// back until they are waited for.
template <int count> __device__ __forceinline__ void pinRegisters(float (&values)[count]) {
#pragma unroll
  for (int i = 0; i < count; ++i) asm volatile("" : "+f"(values[i]) : : "memory");
}

template <int count> __device__ __forceinline__ void pinRegisters(std::uint32_t (&values)[count]) {
#pragma unroll
  for (int i = 0; i < count; ++i) asm volatile("" : "+r"(values[i]) : : "memory");
}
)cpp";

const std::string_view packBrain =
    R"cpp(/// Two numbers rounded to nearest even, as bf16, the first in the low half.
__device__ __forceinline__ std::uint32_t packBrain(float low, float high) {
  const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
  std::uint32_t bits;
  memcpy(&bits, &pair, sizeof bits);
  return bits;
}
)cpp";

const std::string_view packHalf =
    R"cpp(/// Two numbers rounded to nearest even, as f16, the first in the low half.
__device__ __forceinline__ std::uint32_t packHalf(float low, float high) {
  const __half2 pair = __floats2half2_rn(low, high);
  std::uint32_t bits;
  memcpy(&bits, &pair, sizeof bits);
  return bits;
}
)cpp";

const std::string_view widenBrain =
    R"cpp(/// The low or high half of a word, a bf16 number.
__device__ __forceinline__ float widenBrain(std::uint32_t word, int high) {
  return __uint_as_float(high ? word & 0xffff0000u : word << 16);
}
)cpp";

const std::string_view widenHalf =
    R"cpp(/// The low or high half of a word, an f16 number.
__device__ __forceinline__ float widenHalf(std::uint32_t word, int high) {
  __half2 pair;
  memcpy(&pair, &word, sizeof pair);
  return high ? __high2float(pair) : __low2float(pair);
}
)cpp";

const std::string_view loadBlock =
    R"cpp(/// A lane's share of a block of 16 x 16 numbers of 16 bits, as the left factor of a warpgroup product lies in
/// registers. The block begins at a row and a chunk of 16 bytes of a panel of rows of 128 bytes, whose chunks are
/// swizzled. `panel` is a multiple of 1024. All lanes of a warp call this.
__device__ __forceinline__ void loadBlock(std::uint32_t *words, std::uint32_t panel, int row, int chunk) {
  const int lane = static_cast<int>(threadIdx.x % 32), at = row + lane % 16;
  const std::uint32_t address = panel + static_cast<std::uint32_t>(128 * at + 16 * ((chunk + lane / 16) ^ (at % 8)));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3]) : "r"(address) : "memory");
}
)cpp";

const std::string_view loadBlockAcross =
    R"cpp(/// As loadBlock, of a panel whose rows are the block's columns: `row` holds its first column, `chunk` its first rows.
__device__ __forceinline__ void loadBlockAcross(std::uint32_t *words, std::uint32_t panel, int row, int chunk) {
  const int lane = static_cast<int>(threadIdx.x % 32), at = row + lane / 16 * 8 + lane % 8;
  const std::uint32_t address = panel + static_cast<std::uint32_t>(128 * at + 16 * ((chunk + lane / 8 % 2) ^ (at % 8)));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3]) : "r"(address) : "memory");
}
)cpp";

const std::string_view exp2Fast =
    R"cpp(/// 2^x within 2.1 ulp (all arguments tried on sm_90); denormal arguments and results count as zero; exp2Fast(-inf) = 0.
__device__ __forceinline__ float exp2Fast(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}
)cpp";

const std::string_view reciprocal =
    R"cpp(/// 1 / x within 1 ulp; denormal arguments and results count as zero; reciprocal(0) = inf, reciprocal(inf) = 0.
__device__ __forceinline__ float reciprocal(float x) {
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}
)cpp";

const std::string_view atMost =
    R"cpp(/// The lesser of the two; NaN where x is NaN.
__device__ __forceinline__ float atMost(float x, float bound) {
  float result = x;
  if constexpr (forWarpUnits) asm("min.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(x), "f"(bound));
  return result;
}
)cpp";

const std::string_view divideFour =
    R"cpp(/// Each of four numbers of [1, 2^31 + 1] becomes `numerator` divided by it, within 7 ulp, by one division; if one is
/// NaN, all are.
__device__ __forceinline__ void divideFour(float numerator, float (&by)[4]) {
  const float first = by[0] * by[1], last = by[2] * by[3];
  const float all = numerator * reciprocal(first * last);
  const float overFirst = all * last, overLast = all * first;
  const float quotients[4] = {overFirst * by[1], overFirst * by[0], overLast * by[3], overLast * by[2]};
#pragma unroll
  for (int i = 0; i < 4; ++i) by[i] = quotients[i];
}
)cpp";

const std::string_view divideFull =
    R"cpp(/// a / b within 2 ulp, over the full range and without a branch.
__device__ __forceinline__ float divideFull(float a, float b) {
  float result;
  asm("div.full.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}
)cpp";

const std::string_view tanhByExp2 =
    R"cpp(/// tanh x within 2^-22, an absolute bound: near zero the relative error grows; NaN stays NaN.
__device__ __forceinline__ float tanhByExp2(float x) {
  constexpr float twiceLog2E = 0x1.715476p+1f;
  return ::fmaf(-2.0f, reciprocal(exp2Fast(x * twiceLog2E) + 1.0f), 1.0f);
}
)cpp";

const std::string_view tanhApprox = R"cpp(/// tanh x within a relative error of 2^-10.9.
__device__ __forceinline__ float tanhApprox(float x) {
  float result;
  asm("tanh.approx.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}
)cpp";

const std::string_view swapOffDiagonal =
    R"cpp(/// A thread and its neighbour at `distance`, a power of two, swap the values off the diagonal: (upper, lower) of the
/// lower-numbered thread are the first row of a 2 x 2 matrix, those of the other the second.
__device__ __forceinline__ void swapOffDiagonal(std::uint32_t &upper, std::uint32_t &lower, int distance) {
  const bool first = (threadIdx.x & distance) == 0;
  const std::uint32_t received = neighbour(first ? lower : upper, distance);
  upper = first ? upper : received;
  lower = first ? received : lower;
}
)cpp";

const std::string_view transposeQuad =
    R"cpp(/// Thread t of a quad gets word t of threads 0 to 3, in their order. All threads of a warp call this.
__device__ __forceinline__ uint4 transposeQuad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  swapOffDiagonal(a, b, 1);
  swapOffDiagonal(c, d, 1);
  swapOffDiagonal(a, c, 2);
  swapOffDiagonal(b, d, 2);
  return make_uint4(a, b, c, d);
}
)cpp";

const std::string_view joinPairs =
    R"cpp(/// A thread of an even number gets its own first pair and its right neighbour's, one of an odd number its left neighbour's
/// second pair and its own. All threads of a warp call this.
__device__ __forceinline__ uint4 joinPairs(float firstLow, float firstHigh, float secondLow, float secondHigh) {
  std::uint32_t words[4] = {__float_as_uint(firstLow), __float_as_uint(firstHigh), __float_as_uint(secondLow),
                            __float_as_uint(secondHigh)};
  swapOffDiagonal(words[0], words[2], 1);
  swapOffDiagonal(words[1], words[3], 1);
  return make_uint4(words[0], words[1], words[2], words[3]);
}
)cpp";

const std::string_view pairOfDoubles =
    R"cpp(/// Two doubles as they stand in memory.
__device__ __forceinline__ uint4 pairOfDoubles(double first, double second) {
  const double both[2] = {first, second};
  uint4 words;
  memcpy(&words, both, sizeof words);
  return words;
}
)cpp";

} // namespace polymend::print_room::texts
