#ifndef POLYMEND_RT_EACH_SEGMENT
#define POLYMEND_RT_EACH_SEGMENT

#include "arrives_last.cuh"
#include "row_pieces.cuh"
#include "window_of_rows.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// The rows of a block of segmentThreads threads: row i has the elements [begin(i), begin(i + 1)). Where none has more
/// than shortRow of them, neighbouring threads find theirs in the lines that they read together.
constexpr int shortRow = 12, segmentThreads = 256, rowsOfThread = 1, rowsOfSegment = segmentThreads * rowsOfThread;

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

/// Calls finish(i, the terms of row i combined) for `count` rows. A block takes rowsOfSegment of them: where all are
/// short, a thread each, straight from memory; else their elements in windows of some thousand. Where there are many
/// windows, each is a piece for any block of a second launch (`isSecond`), and the last of them to be done combines
/// what it has of rows in several pieces. Where rows of a block do not follow one another, as an end lies before its
/// beginning, each is read where it lies. Sums are combined in an order that the ends of rows decide, and nothing else.
/// A row that has elements in its piece's first window is begun there.
template <class T, class Begin, class Term, class Combine, class Finish>
__device__ __forceinline__ void eachSegment(std::int64_t count, const RowPieces<T> &pieces, bool isSecond,
                                            const Begin &begin, const Term &term, const Combine &combine, T neutral,
                                            const Finish &finish) {
  constexpr int size = 16384 / sizeof(T), alone = 4;
  using Window = WindowOfRows<segmentThreads, size, rowsOfThread, T>;
  __shared__ T held[size];
  __shared__ int list[size / Window::longest][2];
  __shared__ int listed[2];
  Window window{held, list, listed};
  if (threadIdx.x < 2) listed[threadIdx.x] = 0;
  int turn = 0;
  const std::int64_t left = isSecond ? *pieces.count : 0;
  const std::int64_t items =
      isSecond ? (left < mostPieces ? left : mostPieces) : (count + rowsOfSegment - 1) / rowsOfSegment;
  for (std::int64_t item = blockIdx.x; item < items; item += gridDim.x) {
    const std::uint64_t which = isSecond ? pieces.which[item] : static_cast<std::uint64_t>(item) << 32;
    if (which == noPiece) continue;
    const auto block = static_cast<std::int64_t>(which >> 32), piece = static_cast<std::int64_t>(which & 0xffffffffu);
    const std::int64_t first = block * rowsOfSegment;
    const int rows = static_cast<int>(count - first < rowsOfSegment ? count - first : rowsOfSegment);
    const std::int64_t base = begin(first), end = begin(first + rows);
    std::int64_t low[rowsOfThread], high[rowsOfThread];
    bool falls = false, isLong = false;
#pragma unroll
    for (int m = 0; m < rowsOfThread; ++m) {
      const int row = static_cast<int>(threadIdx.x) + m * segmentThreads;
      low[m] = row < rows ? begin(first + row) : end;
      high[m] = row < rows ? begin(first + row + 1) : end;
      falls = falls || high[m] < low[m];
      isLong = isLong || high[m] - low[m] > shortRow;
    }
    if (!isSecond && !__syncthreads_or(isLong)) {
#pragma unroll
      for (int m = 0; m < rowsOfThread; ++m) {
        const int row = static_cast<int>(threadIdx.x) + m * segmentThreads;
        T sum = neutral;
        for (std::int64_t k = low[m]; k < high[m]; ++k) sum = combine(sum, term(k));
        if (row < rows) finish(first + row, sum);
      }
      continue;
    }
    if (__syncthreads_or(falls)) {
      scatteredRows(first, rows, begin, term, combine, neutral, finish);
      continue;
    }
    const std::int64_t windows = end - base > size ? (end - base + size - 1) / size : 1;
    if (!isSecond && windows > alone && leavePieces<segmentThreads>(pieces, block, windows)) continue;
    T sums[rowsOfThread];
#pragma unroll
    for (int m = 0; m < rowsOfThread; ++m) sums[m] = neutral;
    const std::int64_t limit = isSecond ? piece + 1 : windows;
    for (std::int64_t w = piece; w < limit; ++w) {
      const std::int64_t from = base + w * size;
      window.load(from, static_cast<int>(end - from < size ? end - from : size), low, high, term);
      window.fold(sums, combine, neutral);
      if (w + 1 < limit) __syncthreads();
    }
    const auto windowOf = [&](std::int64_t element) {
      const std::int64_t w = (element - base) / size;
      return w < windows ? w : windows - 1;
    };
    const auto each = [&](const auto &run) {
#pragma unroll
      for (int m = 0; m < rowsOfThread; ++m) {
        const int row = static_cast<int>(threadIdx.x) + m * segmentThreads;
        const std::int64_t begun = windowOf(low[m]), ended = low[m] < high[m] ? windowOf(high[m] - 1) : begun;
        if (row < rows) run(first + row, sums[m], begun, ended);
      }
    };
    if (!isSecond) {
      each([&](std::int64_t row, T sum, std::int64_t, std::int64_t) { finish(row, sum); });
      continue;
    }
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

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_EACH_SEGMENT
