#ifndef POLYMEND_RT_MULTIPLY
#define POLYMEND_RT_MULTIPLY

#include "transpose.h"

#include <cstdint>

namespace polymend_rt {
namespace {

#if defined(__AVX512F__)
constexpr int blockRows = 8;
#elif defined(__AVX__)
constexpr int blockRows = 6;
#else
constexpr int blockRows = 4;
#endif

/// A pointer to elements that are contiguous along the sum of a product, not along its columns.
template <class T> struct AlongSum {
  const T *element;
};

template <class T> struct Column {
  enum { inOrder = false, alongSum = false };
};
template <class T> struct Column<T *> {
  enum { inOrder = true, alongSum = false };
};
template <class T> struct Column<AlongSum<T>> {
  enum { inOrder = false, alongSum = true };
};

/// Rows x width elements of c += a * b, held in registers along the sum.
template <int Rows, class T, class C, class A, class B>
inline __attribute__((always_inline)) void multiplyBlock(std::int64_t i, Range sum, const C &c, const A &a,
                                                         const B &b) {
  using Vector = typename Vectors<T>::Vector;
  using Memory = typename Vectors<T>::Memory;
  Vector left[Rows], right[Rows];
  POLYMEND_UNROLL
  for (int r = 0; r < Rows; ++r) {
    left[r] = reinterpret_cast<const Memory *>(c(i + r))[0];
    right[r] = reinterpret_cast<const Memory *>(c(i + r))[1];
  }
  for (std::int64_t d = sum.first; d < sum.limit; ++d) {
    const Vector leftColumns = reinterpret_cast<const Memory *>(b(d))[0];
    const Vector rightColumns = reinterpret_cast<const Memory *>(b(d))[1];
    POLYMEND_UNROLL
    for (int r = 0; r < Rows; ++r) {
      const T factor = a(i + r, d);
      left[r] += factor * leftColumns;
      right[r] += factor * rightColumns;
    }
  }
  POLYMEND_UNROLL
  for (int r = 0; r < Rows; ++r) {
    reinterpret_cast<Memory *>(c(i + r))[0] = left[r];
    reinterpret_cast<Memory *>(c(i + r))[1] = right[r];
  }
}

/// All rows of one strip of `count` columns; a narrow strip goes through a copy of full width.
template <int Rows, class T, class C, class A, class B>
inline void multiplyStrip(Range rows, int count, Range sum, const C &c, const A &a, const B &b) {
  constexpr int width = 2 * Vectors<T>::lanes;
  for (; rows.first + Rows <= rows.limit; rows.first += Rows) {
    if (count == width) {
      multiplyBlock<Rows, T>(rows.first, sum, c, a, b);
      continue;
    }
    alignas(64) T edge[Rows][width] = {};
    for (int r = 0; r < Rows; ++r)
      for (int l = 0; l < count; ++l) edge[r][l] = c(rows.first + r)[l];
    multiplyBlock<Rows, T>(
        0, sum, [&](std::int64_t r) { return edge[r]; },
        [&](std::int64_t r, std::int64_t d) { return a(rows.first + r, d); }, b);
    for (int r = 0; r < Rows; ++r)
      for (int l = 0; l < count; ++l) c(rows.first + r)[l] = edge[r][l];
  }
  if constexpr (Rows > 1) multiplyStrip<Rows / 2, T>(rows, count, sum, c, a, b);
}

/// Copies b(d, j) of `count` columns to a panel of full width; columns beyond them are zero.
template <class T, int width, class B>
inline void fillPanel(T (*panel)[width], Range sum, std::int64_t j, int count, const B &b) {
  using Kind = Column<decltype(b(0, 0))>;
  if (count < width)
    for (std::int64_t d = sum.first; d < sum.limit; ++d)
      for (int l = 0; l < width; ++l) panel[d - sum.first][l] = T(0);
  if constexpr (Kind::alongSum) {
    transpose<T>(
        sum, {0, count}, [&](std::int64_t d, std::int64_t l) { return &panel[d - sum.first][l]; },
        [&](std::int64_t d, std::int64_t l) { return b(d, j + l).element; });
  } else {
    for (std::int64_t d = sum.first; d < sum.limit; ++d)
      for (int l = 0; l < count; ++l) {
        if constexpr (Kind::inOrder)
          panel[d - sum.first][l] = b(d, j)[l];
        else
          panel[d - sum.first][l] = static_cast<T>(b(d, j + l));
      }
  }
}

/// *c(i, j) += a(i, d) * b(d, j) over rows x columns x sum, in the order of d; c is contiguous along j. Where b gives
/// pointers it is contiguous along j too; values, and elements contiguous along the sum, go through a panel.
template <class T, class C, class A, class B>
inline void multiply(Range rows, Range columns, Range sum, const C &c, const A &a, const B &b) {
  constexpr int width = 2 * Vectors<T>::lanes;
  constexpr std::int64_t depth = 128;
  if (rows.first >= rows.limit) return;
  for (std::int64_t j = columns.first; j < columns.limit; j += width) {
    const int count = columns.limit - j < width ? static_cast<int>(columns.limit - j) : width;
    const auto target = [&](std::int64_t i) { return c(i, j); };
    if constexpr (Column<decltype(b(0, 0))>::inOrder)
      if (count == width) {
        multiplyStrip<blockRows, T>(rows, width, sum, target, a, [&](std::int64_t d) { return b(d, j); });
        continue;
      }
    alignas(64) T panel[depth][width];
    for (std::int64_t from = sum.first; from < sum.limit; from += depth) {
      const Range part{from, sum.limit - from < depth ? sum.limit : from + depth};
      fillPanel<T, width>(panel, part, j, count, b);
      multiplyStrip<blockRows, T>(rows, count, part, target, a, [&](std::int64_t d) { return panel[d - from]; });
    }
  }
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_MULTIPLY
