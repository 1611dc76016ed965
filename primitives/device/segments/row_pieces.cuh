#ifndef POLYMEND_RT_ROW_PIECES
#define POLYMEND_RT_ROW_PIECES

#include <cstdint>

namespace polymend_rt {
namespace {

/// Pieces of rows that a launch leaves to the next one; what does not fit is not left.
constexpr std::int64_t mostPieces = 65536;
constexpr std::uint64_t noPiece = UINT64_MAX;

/// Which they are, and what becomes of them: memory of the device for mostPieces pieces.
template <class T> struct RowPieces {
  std::uint32_t *count;   // zero before the first launch
  std::uint64_t *which;   // the block whose rows it has, and its number among that block's pieces
  std::uint32_t *arrived; // at a block's first piece: how many of its pieces are done
  T *carried;             // of each piece: of the row that began before it, of the row that goes on after it
};

/// Leaves so many pieces of a block's rows to the next launch, unless there is no room; all threads of it call this.
template <int threads, class T>
__device__ __forceinline__ bool leavePieces(const RowPieces<T> &pieces, std::int64_t block, std::int64_t windows) {
  __shared__ std::int64_t begin;
  if (threadIdx.x == 0) {
    const bool isFull = windows > mostPieces || *static_cast<volatile std::uint32_t *>(pieces.count) >= mostPieces;
    begin = isFull ? mostPieces : atomicAdd(pieces.count, static_cast<std::uint32_t>(windows));
  }
  __syncthreads();
  const std::int64_t first = begin, end = first + windows < mostPieces ? first + windows : mostPieces;
  const bool fits = first + windows <= mostPieces;
  for (std::int64_t k = first + threadIdx.x; k < end; k += threads)
    pieces.which[k] = fits ? static_cast<std::uint64_t>(block) << 32 | static_cast<std::uint64_t>(k - first) : noPiece;
  if (fits && threadIdx.x == 0) pieces.arrived[first] = 0;
  return fits;
}

/// Blocks of the launch that runs the pieces of so many rows.
inline std::int64_t blocksForPieces(std::int64_t rows) {
  constexpr std::int64_t most = 1056;
  return rows < most / 32 ? 32 * rows : most;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_ROW_PIECES
