// Primitives of products of floats, rounded to tf32, and of doubles by the warps of compute capability 8.0 and later:
// shares of swizzled tiles in the layout of the accumulators, products of 8 terms. PTX ISA 7.0, "Matrix Fragments for
// mma.m16n8k8", "mma.m8n8k4 with .f64 floating point type"; PTX ISA 7.8, "mma.m16n8k4 with .f64".
#include "texts.h"

namespace polymend::print_room::texts {

const std::string_view shareStart =
    R"cpp(/// Where this thread's share of the first 8 x 8 elements of a tile stands, for loadShare; `across`: of their transpose.
template <class Element, bool across> __device__ __forceinline__ std::uint32_t shareStart(std::uint32_t tile) {
  const std::uint32_t lane = threadIdx.x % 32, row = across ? lane % 4 * 2 : lane / 4;
  const std::uint32_t byte = (across ? lane / 4 : lane % 4 * 2) * static_cast<std::uint32_t>(sizeof(Element));
  return tile + row * 128 + ((byte / 16 ^ row ^ row % 2 * 4) & 7) * 16 + byte % 16;
}
)cpp";

const std::string_view loadElements =
    R"cpp(/// A float or double of shared memory.
template <class Element> __device__ __forceinline__ void loadElements(std::uint32_t at, Element &only) {
  only = 0;
  if constexpr (forWarpUnits && sizeof(Element) == 4)
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(only) : "r"(at) : "memory");
  else if constexpr (forWarpUnits)
    asm volatile("ld.shared.f64 %0, [%1];" : "=d"(only) : "r"(at) : "memory");
}

/// Two neighbours.
template <class Element>
__device__ __forceinline__ void loadElements(std::uint32_t at, Element &first, Element &second) {
  first = second = 0;
  if constexpr (forWarpUnits && sizeof(Element) == 4)
    asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(first), "=f"(second) : "r"(at) : "memory");
  else if constexpr (forWarpUnits)
    asm volatile("ld.shared.v2.f64 {%0, %1}, [%2];" : "=d"(first), "=d"(second) : "r"(at) : "memory");
}
)cpp";

const std::string_view loadShare =
    R"cpp(/// This thread's share of 8 x 8 elements of a tile, or of their transpose: elements (lane / 4, 2 * (lane % 4)) and its
/// right neighbour. The block begins at row 8 * row, column 8 * column of the tile as it stands; its panels are
/// `panelBytes` apart.
template <bool across, int panelBytes, class Element>
__device__ __forceinline__ void loadShare(Element &first, Element &second, std::uint32_t start, int row, int column) {
  constexpr int blocks = 16 / static_cast<int>(sizeof(Element)); // of 8 columns, in a panel
  const std::uint32_t turn = static_cast<std::uint32_t>(column % blocks * (128 / blocks));
  const std::uint32_t far = static_cast<std::uint32_t>(column / blocks * panelBytes + row * 1024);
  if constexpr (across) {
    loadElements((start ^ turn) + far, first);
    loadElements((start ^ turn ^ 80) + far + 128, second);
  } else {
    loadElements((start ^ turn) + far, first, second);
  }
}
)cpp";

const std::string_view loadShares =
    R"cpp(/// Blocks of 16 rows and 8 terms of a left factor, number `step` along the sum, one below the other: this thread's
/// share of the upper eight rows of each and of the lower ones. The tile has a row for each of them, or one for each term
/// if `turned`.
template <bool turned, int panelBytes, class Element, int count>
__device__ __forceinline__ void loadShares(Element (&shares)[count], std::uint32_t left, int step) {
#pragma unroll
  for (int half = 0; half < count / 2; ++half)
    loadShare<turned, panelBytes>(shares[2 * half], shares[2 * half + 1], left, turned ? step : half,
                                  turned ? half : step);
}
)cpp";

const std::string_view roundFactor =
    R"cpp(/// The number rounded to tf32, nearest, ties away from zero, as float.
__device__ __forceinline__ float roundFactor(float x) {
  std::uint32_t bits = 0;
  if constexpr (forWarpUnits) asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return __uint_as_float(bits);
}
)cpp";

const std::string_view mmaFloat =
    R"cpp(/// sums += left * right for a warp: 16 x 8 sums of 8 products in tf32, the even terms before the odd ones.
__device__ __forceinline__ void mmaFloat(float *sums, const float *left, float even, float odd) {
  if constexpr (forWarpUnits)
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(__float_as_uint(left[0])), "r"(__float_as_uint(left[2])), "r"(__float_as_uint(left[1])),
          "r"(__float_as_uint(left[3])), "r"(__float_as_uint(even)), "r"(__float_as_uint(odd)));
}
)cpp";

const std::string_view multiplyFloat =
    R"cpp(/// sums += left * right for a warp: blocks of 16 x columns sums, one below the other, of 8 products in tf32, number `step`
/// along the sum. The left factor lies as sums do. The right one is a tile with a row for each of its columns, or one for
/// each product if `across`; as many warps as there are blocks take 16 of its columns each in turn.
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
)cpp";

const std::string_view forTallDoubles =
    R"cpp(/// Whether this pass compiles for compute capability 9.0 or later, whose products of doubles take 16 rows at once.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
constexpr bool forTallDoubles = true;
#else
constexpr bool forTallDoubles = false;
#endif
)cpp";

const std::string_view mmaDouble =
    R"cpp(/// sums += left * right for a warp: 16 x 8 sums of 4 products; `upper` and `lower` are 8 rows of the left factor each.
__device__ __forceinline__ void mmaDouble(double *sums, double upper, double lower, double right) {
  if constexpr (forTallDoubles) {
    asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+d"(sums[0]), "+d"(sums[1]), "+d"(sums[2]), "+d"(sums[3]) : "d"(upper), "d"(lower), "d"(right));
  } else if constexpr (forWarpUnits) {
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(sums[0]), "+d"(sums[1]) : "d"(upper), "d"(right));
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(sums[2]), "+d"(sums[3]) : "d"(lower), "d"(right));
  }
}
)cpp";

const std::string_view multiplyDouble =
    R"cpp(/// sums += left * right for a warp: blocks of 16 x columns sums, one below the other, of 8 products, number `step` along
/// the sum. The left factor lies as sums do. The right one is a tile with a row for each of its columns, or one for each
/// product if `across`; as many warps as there are blocks take 16 of its columns each in turn.
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
)cpp";

} // namespace polymend::print_room::texts
