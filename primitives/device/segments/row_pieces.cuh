#ifndef POLYMEND_RT_ROW_PIECES
#define POLYMEND_RT_ROW_PIECES

#include <cstdint>

namespace polymend_rt {
namespace {

/// The threads of a block and the rows of each: two are more loads on their way.
constexpr int segmentThreads = 256, rowsOfThread = 2, rowsOfBlock = segmentThreads * rowsOfThread;
/// Pieces of rows that a launch leaves to the next one; of what does not fit one block runs all.
constexpr std::int64_t mostPieces = 65536;

/// What a launch leaves to the next: memory of the device for mostPieces pieces and all blocks.
template <class T> struct RowPieces {
  std::uint32_t *counts;  // of pieces, and of blocks that are left whole; zero before the first launch
  std::uint64_t *which;   // of a piece: the block whose rows it has, and its number among that block's pieces
  std::uint32_t *arrived; // at a block's first piece: how many of its pieces are done
  T *carried;             // of each piece: of the row that began before it, of the row that goes on after it
  std::uint32_t *left;    // blocks that are left whole
};

/// Leaves a block's rows to the next launch, in so many pieces where there is room for them, else whole; all threads of
/// it call this.
template <class T>
__device__ __forceinline__ void leaveRows(const RowPieces<T> &pieces, std::int64_t block, std::int64_t windows,
                                          std::int64_t whole) {
  __shared__ std::int64_t begin;
  if (threadIdx.x == 0) {
    const bool isFull = windows > mostPieces || *static_cast<volatile std::uint32_t *>(pieces.counts) >= mostPieces;
    begin = windows <= whole || isFull ? mostPieces : atomicAdd(pieces.counts, static_cast<std::uint32_t>(windows));
  }
  __syncthreads();
  const std::int64_t first = begin, end = first + windows;
  if (end <= mostPieces) {
    for (std::int64_t k = first + threadIdx.x; k < end; k += segmentThreads)
      pieces.which[k] = static_cast<std::uint64_t>(block) << 32 | static_cast<std::uint64_t>(k - first);
    if (threadIdx.x == 0) pieces.arrived[first] = 0;
    return;
  }
  for (std::int64_t k = first + threadIdx.x; k < mostPieces; k += segmentThreads) pieces.which[k] = UINT64_MAX;
  if (threadIdx.x == 0) pieces.left[atomicAdd(pieces.counts + 1, 1u)] = static_cast<std::uint32_t>(block);
}

/// Blocks of a launch, the first or the second, that a multiprocessor is meant to hold where rows fold to a T.
template <class T> __host__ __device__ constexpr int segmentResidents(int launch) {
  return launch != 0 ? 4 : sizeof(T) > 4 ? 6 : 8;
}

/// Blocks of the launch that takes all of so many rows.
inline std::int64_t blocksOfRows(std::int64_t rows) { return (rows + rowsOfBlock - 1) / rowsOfBlock; }

/// Blocks of the launch that runs what is left of so many rows.
inline std::int64_t blocksForPieces(std::int64_t rows) {
  constexpr std::int64_t most = 4224;
  return rows < most / 32 ? 32 * rows : most;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_ROW_PIECES
