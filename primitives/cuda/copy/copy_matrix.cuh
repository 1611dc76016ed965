#ifndef POLYMEND_RT_COPY_MATRIX
#define POLYMEND_RT_COPY_MATRIX

#include "copy_chunk.cuh"
#include "mbarrier_arrive_copied.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// So many warps, the first of which has a multiple of theirs as its number, copy a tile of elements of 2, 4 or 8 bytes
/// to shared memory, and each of their threads arrives at the barrier when its part is there. The tile's element (0, 0)
/// is array[offset], a row is `stride` elements after the one before; rows [firstRow, lastRow) and columns
/// [firstColumn, lastColumn) of it are in the array if `inside`, all others are zero. Address, offset, stride and
/// columns in the array are multiples of 16 bytes. The tile stands as panels of rows of 128 bytes, the chunks of 16
/// bytes in a row exchanged by the row's number r modulo 8: by r, for wide elements by r ^ r % 2 * 4, so that neither
/// two rows' chunks nor four rows' pairs of chunks meet in a bank.
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
      copyChunk(shared + static_cast<std::uint32_t>(place),
                there ? array + (offset + row * stride + per * chunk) : array, there);
    }
  }
  mbarrierArriveCopied(barrier);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_COPY_MATRIX
