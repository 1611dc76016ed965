// Primitives of kernels for compute capability 8.0 and later: barriers in shared memory without transaction counts,
// copies in chunks of 16 bytes, fragments loaded from swizzled tiles, products of a warp. PTX ISA 7.1.
#include "texts.h"

namespace polymend::print_room::texts {

const std::string_view forWarpUnits =
    R"cpp(/// Whether this pass compiles for compute capability 8.0 or later. Before that, the functions that need its
/// instructions do nothing; the host asks runsMatrixCode() before it starts a kernel that calls them.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
constexpr bool forWarpUnits = true;
#else
constexpr bool forWarpUnits = false;
#endif
)cpp";

const std::string_view mbarrierInit =
    R"cpp(/// Prepares a barrier, 8 bytes of shared memory, whose phases end after `count` arrivals.
__device__ __forceinline__ void mbarrierInit(std::uint32_t barrier, std::uint32_t count) {
  if constexpr (forWarpUnits) asm volatile("mbarrier.init.shared.b64 [%0], %1;" : : "r"(barrier), "r"(count) : "memory");
}
)cpp";

const std::string_view mbarrierArrive =
    R"cpp(/// Arrives: what this thread did before is done for whoever waits for the phase.
__device__ __forceinline__ void mbarrierArrive(std::uint32_t barrier) {
  if constexpr (forWarpUnits)
    asm volatile("{\n"
                 ".reg .b64 state;\n"
                 "mbarrier.arrive.shared.b64 state, [%0];\n"
                 "}"
                 : : "r"(barrier) : "memory");
}
)cpp";

const std::string_view mbarrierWait =
    R"cpp(/// Waits for the end of the phase of that parity; the phase before the first counts as ended, with parity 1.
__device__ __forceinline__ void mbarrierWait(std::uint32_t barrier, std::uint32_t parity) {
  if constexpr (forWarpUnits)
    asm volatile("{\n"
                 ".reg .pred ended;\n"
                 "again:\n"
                 "mbarrier.test_wait.parity.shared.b64 ended, [%0], %1;\n"
                 "@!ended bra again;\n"
                 "}"
                 : : "r"(barrier), "r"(parity) : "memory");
}
)cpp";

const std::string_view copyChunk =
    R"cpp(/// Starts the copy of 16 bytes to shared memory: of zeros where `inside` is false.
__device__ __forceinline__ void copyChunk(std::uint32_t shared, const void *from, bool inside) {
  if constexpr (forWarpUnits)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" : : "r"(shared), "l"(from), "r"(inside ? 16 : 0) : "memory");
}
)cpp";

const std::string_view mbarrierArriveCopied =
    R"cpp(/// Arrives once the copies that this thread started are done.
__device__ __forceinline__ void mbarrierArriveCopied(std::uint32_t barrier) {
  if constexpr (forWarpUnits)
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" : : "r"(barrier) : "memory");
}
)cpp";

const std::string_view copyMatrix =
    R"cpp(/// So many warps, the first of which has a multiple of theirs as its number, copy a tile of elements of 2, 4 or 8 bytes
/// to shared memory, and each of their threads arrives at the barrier when its part is there. The tile's element (0, 0)
/// is array[offset], a row is `stride` elements after the one before; rows [firstRow, lastRow) and columns [firstColumn,
/// lastColumn) of it are in the array if `inside`, all others are zero. Address, offset, stride and columns in the array
/// are multiples of 16 bytes. The tile stands as panels of rows of 128 bytes, the chunks of 16 bytes in a row exchanged
/// by the row's number r modulo 8: by r, for wide elements by r ^ r % 2 * 4, so that neither two rows' chunks nor four
/// rows' pairs of chunks meet in a bank.
template <int rows, int columns, int warps = 1, class Element>
__device__ __forceinline__ void copyMatrix(std::uint32_t shared, const Element *array, std::int64_t offset,
                                           std::int64_t stride, bool inside, std::int64_t firstRow,
                                           std::int64_t lastRow, std::int64_t firstColumn, std::int64_t lastColumn,
                                           std::uint32_t barrier) {
  constexpr int per = 16 / static_cast<int>(sizeof(Element)), chunks = columns / per, threads = 32 * warps;
  static_assert(rows % 8 == 0 && columns % 8 == 0, "blocks of 8 x 8 elements");
  const int thread = static_cast<int>(threadIdx.x % threads);
  const int low = firstRow > 0 ? firstRow < rows ? static_cast<int>(firstRow) : rows : 0;
  const int high = lastRow < rows ? lastRow > 0 ? static_cast<int>(lastRow) : 0 : rows;
  const auto holds = [&](int chunk) { return inside && firstColumn <= per * chunk && per * chunk < lastColumn; };
  const auto exchange = [](int row) { return (row ^ (per == 8 ? 0 : row % 2 * 4)) & 7; };
  constexpr int beside = chunks % 8 == 0 ? 8 : chunks;
  if constexpr (threads % beside == 0 && rows % (threads / beside) == 0) {
    // In each panel a thread stays in its column of chunks; the warps take `step` rows at a time.
    constexpr int step = threads / beside;
    const int first = thread / beside, chunk = thread % beside;
    const std::uint32_t start = shared + static_cast<std::uint32_t>(first * 128 + ((chunk ^ exchange(first)) & 7) * 16);
#pragma unroll
    for (int panel = 0; panel < chunks / beside; ++panel) {
      const Element *from = array + (offset + first * stride + per * (8 * panel + chunk));
      const bool held = holds(8 * panel + chunk);
#pragma unroll 8
      for (int row = 0; row < rows; row += step) {
        const bool there = held && low <= row + first && row + first < high;
        copyChunk((start ^ static_cast<std::uint32_t>(exchange(row) * 16)) +
                      static_cast<std::uint32_t>((panel * rows + row) * 128),
                  there ? from : array, there);
        from += step * stride;
      }
    }
  } else {
#pragma unroll 4
    for (int i = thread; i < rows * chunks; i += threads) {
      const int row = i / chunks, chunk = i % chunks;
      const bool there = holds(chunk) && low <= row && row < high;
      const int place = chunk / 8 * rows * 128 + row * 128 + ((chunk ^ exchange(row)) & 7) * 16;
      copyChunk(shared + static_cast<std::uint32_t>(place), there ? array + (offset + row * stride + per * chunk) : array, there);
    }
  }
  mbarrierArriveCopied(barrier);
}
)cpp";

const std::string_view matrixStart =
    R"cpp(/// Where this thread's row of the first 16 x 16 elements of a tile stands, for loadMatrix; `rowsFirst`: of its four
/// matrices of 8 x 8 the second is below the first, else beside it.
template <bool rowsFirst> __device__ __forceinline__ std::uint32_t matrixStart(std::uint32_t tile) {
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t row = rowsFirst ? lane % 16 : lane % 8 + lane / 16 * 8;
  const std::uint32_t chunk = rowsFirst ? lane / 16 : lane / 8 % 2;
  return tile + row * 128 + ((chunk ^ row) & 7) * 16;
}
)cpp";

const std::string_view matrixAt =
    R"cpp(/// The same for the elements from row 16 * row, column 16 * column; panels of 64 columns are `panelBytes` apart.
template <int panelBytes>
__device__ __forceinline__ std::uint32_t matrixAt(std::uint32_t start, int row, int column) {
  return (start ^ static_cast<std::uint32_t>(column % 4 * 32)) +
         static_cast<std::uint32_t>(column / 4 * panelBytes + row * 2048);
}
)cpp";

const std::string_view fromColumn =
    R"cpp(/// Where a share of a tile stands that begins `column` columns further on: a multiple of 8 below the one to which
/// columns are counted from there.
template <int elementBytes, int panelBytes>
__device__ __forceinline__ std::uint32_t fromColumn(std::uint32_t start, int column) {
  constexpr int panel = 128 / elementBytes;
  return (start ^ static_cast<std::uint32_t>(column % panel * elementBytes)) +
         static_cast<std::uint32_t>(column / panel * panelBytes);
}
)cpp";

const std::string_view loadMatrix =
    R"cpp(/// Four matrices of 8 x 8 as fragments, or their transposes: this thread gets elements (lane / 4, 2 * (lane % 4)) and
/// its right neighbour of each.
template <bool transposed>
__device__ __forceinline__ void loadMatrix(std::uint32_t *words, std::uint32_t row) {
  if constexpr (forWarpUnits && transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3]) : "r"(row) : "memory");
  else if constexpr (forWarpUnits)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3]) : "r"(row) : "memory");
  else
    words[0] = words[1] = words[2] = words[3] = 0;
}
)cpp";

const std::string_view loadRows =
    R"cpp(/// Blocks of 16 rows and 16 terms of a left factor, number `step` along the sum, one below the other: four words each.
/// The tile has a row for each of them, or one for each term if `turned`.
template <bool turned, int panelBytes, int count>
__device__ __forceinline__ void loadRows(std::uint32_t (&words)[count], std::uint32_t left, int step) {
#pragma unroll
  for (int block = 0; block < count / 4; ++block)
    loadMatrix<turned>(words + 4 * block, matrixAt<panelBytes>(left, turned ? step : block, turned ? block : step));
}
)cpp";

const std::string_view mmaBrain =
    R"cpp(/// sums += left * right for a warp: 16 x 8 sums of 16 products in bf16.
__device__ __forceinline__ void mmaBrain(float *sums, const std::uint32_t *left, std::uint32_t low, std::uint32_t high) {
  if constexpr (forWarpUnits)
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(low), "r"(high));
}
)cpp";

const std::string_view multiplyBrain =
    R"cpp(/// sums += left * right for a warp: blocks of 16 x columns sums, one below the other, of 16 products in bf16, number `step`
/// along the sum. The right factor is a tile with a row for each of its columns, or one for each product if `across`; as
/// many warps as there are blocks take 16 of its columns each in turn.
template <int columns, bool across, int panelBytes, int count>
__device__ __forceinline__ void multiplyBrain(float (&sums)[count], const std::uint32_t *left, std::uint32_t right,
                                              int step) {
  constexpr int blocks = 2 * count / columns;
#pragma unroll
  for (int n = 0; n < columns / 16; ++n) {
    std::uint32_t words[4];
    loadMatrix<across>(words, matrixAt<panelBytes>(right, across ? step : blocks * n, across ? blocks * n : step));
#pragma unroll
    for (int block = 0; block < blocks; ++block) {
      mmaBrain(sums + count / blocks * block + 8 * n, left + 4 * block, words[0], words[1]);
      mmaBrain(sums + count / blocks * block + 8 * n + 4, left + 4 * block, words[2], words[3]);
    }
  }
}
)cpp";

const std::string_view mmaHalf =
    R"cpp(/// sums += left * right for a warp: 16 x 8 sums of 16 products in f16.
__device__ __forceinline__ void mmaHalf(float *sums, const std::uint32_t *left, std::uint32_t low, std::uint32_t high) {
  if constexpr (forWarpUnits)
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(low), "r"(high));
}
)cpp";

const std::string_view multiplyHalf =
    R"cpp(/// sums += left * right for a warp: blocks of 16 x columns sums, one below the other, of 16 products in f16, number `step`
/// along the sum. The right factor is a tile with a row for each of its columns, or one for each product if `across`; as
/// many warps as there are blocks take 16 of its columns each in turn.
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
)cpp";

const std::string_view runsMatrixCode =
    R"cpp(/// Has shared memory of its own exactly where it was compiled for compute capability 8.0 or later.
__global__ void warpUnitsMark() {
  if constexpr (forWarpUnits) {
    __shared__ volatile int mark[1024];
    mark[threadIdx.x] = 0;
  }
}

/// Whether the current device runs what this file compiles to, for compute capability 8.0 or later, and gives a block so
/// many bytes of shared memory.
inline bool runsMatrixCode(int sharedBytes) {
  int device = 0, most = 0;
  cudaFuncAttributes mark{};
  return cudaGetDevice(&device) == cudaSuccess &&
         cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) == cudaSuccess &&
         sharedBytes <= most && cudaFuncGetAttributes(&mark, warpUnitsMark) == cudaSuccess &&
         mark.sharedSizeBytes >= 4096;
}
)cpp";

const std::string_view chunksReach =
    R"cpp(/// Whether copies of 16 bytes reach an array and its extents, innermost first, are numbers of tiles.
template <class Element, int rank> inline bool chunksReach(const Element *base, const std::int64_t (&extents)[rank]) {
  constexpr int per = 16 / static_cast<int>(sizeof(Element));
  bool fits = reinterpret_cast<std::uintptr_t>(base) % 16 == 0 && extents[0] % per == 0;
  for (const std::int64_t extent : extents) fits = fits && extent <= INT32_MAX - 1024;
  return fits;
}
)cpp";

} // namespace polymend::print_room::texts
