#ifndef POLYMEND_RT_EACH_SEGMENT
#define POLYMEND_RT_EACH_SEGMENT

#include "arrives_last.cuh"
#include "row_pieces.cuh"
#include "window_of_rows.cuh"

#include <cstdint>
#include <type_traits>

namespace polymend_rt {
namespace {

/// Where a row of a block has more elements than this, neighbouring threads load neighbouring elements.
constexpr int shortRow = 12;

/// Rows of a block that do not follow one another in memory: a warp each.
template <class T, class Begin, class Term, class Combine, class Finish>
__device__ __forceinline__ void scatteredRows(std::int64_t first, int rows, const Begin &begin, const Term &term,
                                              const Combine &combine, T neutral, const Finish &finish) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  for (int row = static_cast<int>(threadIdx.x / 32); row < rows; row += segmentThreads / 32) {
    const std::int64_t end = begin(first + row + 1);
    T part = neutral;
    for (std::int64_t k = begin(first + row) + lane; k < end; k += 32) part = combine(part, term(k));
    part = combineWithin<32>(part, combine);
    if (lane == 0) finish(first + row, part);
  }
}

/// The first launch: rows of blocks that have short ones alone, a thread each, straight from memory. What it does not
/// run it leaves. No shared memory, so that lines which neighbours read together stay near.
template <int size, class T, class Begin, class Term, class Combine, class Finish>
__device__ __forceinline__ void shortRows(std::int64_t count, const RowPieces<T> &pieces, const Begin &begin,
                                          const Term &term, const Combine &combine, T neutral, const Finish &finish) {
  constexpr int whole = 2;
  for (std::int64_t block = blockIdx.x; block * rowsOfBlock < count; block += gridDim.x) {
    const std::int64_t first = block * rowsOfBlock;
    std::int64_t low[rowsOfThread], high[rowsOfThread];
    bool falls = false, isLong = false;
#pragma unroll
    for (int m = 0; m < rowsOfThread; ++m) {
      const std::int64_t row = first + threadIdx.x + m * segmentThreads;
      low[m] = row < count ? begin(row) : 0;
      high[m] = row < count ? begin(row + 1) : 0;
      falls = falls || high[m] < low[m];
      isLong = isLong || high[m] - low[m] > shortRow;
    }
    if (!__syncthreads_or(isLong)) {
#pragma unroll
      for (int m = 0; m < rowsOfThread; ++m) {
        const std::int64_t row = first + threadIdx.x + m * segmentThreads;
        T sum = neutral;
        for (std::int64_t k = low[m]; k < high[m]; ++k) sum = combine(sum, term(k));
        if (row < count) finish(row, sum);
      }
      continue;
    }
    const int rows = static_cast<int>(count - first < rowsOfBlock ? count - first : rowsOfBlock);
    if (__syncthreads_or(falls)) {
      scatteredRows(first, rows, begin, term, combine, neutral, finish);
      continue;
    }
    leaveRows(pieces, block, (begin(first + rows) - begin(first) + size - 1) / size, whole);
  }
}

/// Rows that the first launch left: a block's, and one of its windows alone or all.
struct LeftRows {
  std::int64_t first, base, end; // the block's first row; its elements
  std::int64_t piece;            // the window; -1: all
};

template <class T, class Begin>
__device__ __forceinline__ LeftRows leftRowsAt(std::int64_t item, std::int64_t parts, std::int64_t count,
                                               const RowPieces<T> &pieces, const Begin &begin) {
  const bool isPiece = item < parts;
  const std::uint64_t which =
      isPiece ? pieces.which[item] : static_cast<std::uint64_t>(pieces.left[item - parts]) << 32;
  LeftRows rows{0, 0, 0, -1};
  if (which == UINT64_MAX) return rows;
  rows.first = static_cast<std::int64_t>(which >> 32) * rowsOfBlock;
  rows.base = begin(rows.first);
  rows.end = begin(rows.first + rowsOfBlock < count ? rows.first + rowsOfBlock : count);
  if (isPiece) rows.piece = static_cast<std::int64_t>(which & 0xffffffffu);
  return rows;
}

/// The second launch: what is left, in windows of some thousand elements. Blocks that have one item each, as most do,
/// are dealt to processors as these become free.
template <int size, class T, class Begin, class Term, class Combine, class Finish>
__device__ __forceinline__ void leftRows(std::int64_t count, const RowPieces<T> &pieces, const Begin &begin,
                                         const Term &term, const Combine &combine, T neutral, const Finish &finish) {
  using Window = WindowOfRows<segmentThreads, size, rowsOfThread, T>;
  __shared__ T held[size];
  __shared__ int list[size / Window::longest][2];
  __shared__ int listed[2];
  Window window{held, list, listed};
  if (threadIdx.x < 2) listed[threadIdx.x] = 0;
  __syncthreads();
  int turn = 0;
  const std::int64_t parts = pieces.counts[0] < mostPieces ? pieces.counts[0] : mostPieces;
  const std::int64_t items = parts + pieces.counts[1];
  for (std::int64_t item = blockIdx.x; item < items; item += gridDim.x) {
    const LeftRows rows = leftRowsAt(item, parts, count, pieces, begin);
    const std::int64_t windows = (rows.end - rows.base + size - 1) / size, piece = rows.piece < 0 ? 0 : rows.piece;
    const std::int64_t limit = rows.piece < 0 ? windows : piece + 1;
    if (windows == 0) continue;
    T sums[rowsOfThread];
#pragma unroll
    for (int m = 0; m < rowsOfThread; ++m) sums[m] = neutral;
    for (std::int64_t w = piece; w < limit; ++w) {
      const std::int64_t from = rows.base + w * size;
      window.load(from, static_cast<int>(rows.end - from < size ? rows.end - from : size), term,
                  [&] { window.find(rows.first, count, begin); });
      window.fold(sums, combine, neutral);
      __syncthreads();
    }
    if (rows.piece < 0) {
#pragma unroll
      for (int m = 0; m < rowsOfThread; ++m) {
        const std::int64_t row = rows.first + threadIdx.x + m * segmentThreads;
        if (row < count) finish(row, sums[m]);
      }
      continue;
    }
    const auto each = [&](const auto &run) {
      const auto windowOf = [&](std::int64_t element) {
        const std::int64_t w = (element - rows.base) / size;
        return w < windows ? w : windows - 1;
      };
#pragma unroll
      for (int m = 0; m < rowsOfThread; ++m) {
        const std::int64_t row = rows.first + threadIdx.x + m * segmentThreads;
        if (row >= count) continue;
        const std::int64_t low = begin(row), high = begin(row + 1);
        const std::int64_t begun = windowOf(low), ended = low < high ? windowOf(high - 1) : begun;
        run(row, sums[m], begun, ended);
      }
    };
    each([&](std::int64_t row, T sum, std::int64_t begun, std::int64_t ended) {
      if (begun == piece && ended == piece)
        finish(row, sum);
      else if (begun <= piece && piece <= ended)
        pieces.carried[2 * item + (begun < piece ? 0 : 1)] = sum;
    });
    const std::int64_t own = item - piece;
    if (!arrivesLast<segmentThreads>(&pieces.arrived[own], static_cast<std::uint32_t>(windows), turn)) continue;
    each([&](std::int64_t row, T, std::int64_t begun, std::int64_t ended) {
      if (begun == ended) return;
      T sum = pieces.carried[2 * (own + begun) + 1];
#pragma unroll 8
      for (std::int64_t w = begun + 1; w <= ended; ++w) sum = combine(sum, pieces.carried[2 * (own + w)]);
      finish(row, sum);
    });
  }
}

/// Calls finish(i, the terms of row i combined) for `count` rows; row i has the elements [begin(i), begin(i + 1)). Two
/// launches of blocks of segmentThreads threads, of which this is number `launch`: in the first a thread takes each row
/// of a block where all are short. Other blocks are left to the second, which loads elements in windows; where there
/// are many windows, each is a piece for any block, and the last of them to be done combines what it has of rows in
/// several pieces. Where rows of a block do not follow one another, as an end lies before its beginning, each is read
/// where it lies. Sums are combined in an order that the ends of rows decide, and nothing else. A row that has elements
/// in its piece's first window is begun there.
template <int launch, class T, class Begin, class Term, class Combine, class Finish>
__device__ __forceinline__ void eachSegment(std::int64_t count, const RowPieces<T> &pieces, const Begin &begin,
                                            const Term &term, const Combine &combine, std::type_identity_t<T> neutral,
                                            const Finish &finish) {
  constexpr int size = 16384 / (sizeof(T) > 4 ? sizeof(T) : 4);
  if constexpr (launch == 0)
    shortRows<size>(count, pieces, begin, term, combine, neutral, finish);
  else
    leftRows<size>(count, pieces, begin, term, combine, neutral, finish);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_EACH_SEGMENT
