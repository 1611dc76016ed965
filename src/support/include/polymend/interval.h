// Interval arithmetic over the integers: what an expression can be, given what its leaves can be.
#pragma once

#include "polymend/expr.h"

namespace polymend {

/// An integer of 128 bits, which holds products of those of 64.
__extension__ using Wide = __int128;

/// least <= value <= most. An end as far as Open says nothing; sums and products that reach it stay there.
struct Interval {
  static constexpr Wide Open = Wide{1} << 100;
  Wide least = -Open, most = Open;

  [[nodiscard]] bool empty() const { return most < least; }
  /// An end that is known and a number of 64 bits.
  [[nodiscard]] std::optional<std::int64_t> low() const;
  [[nodiscard]] std::optional<std::int64_t> high() const;
};

/// The least interval around both.
Interval hull(const Interval &a, const Interval &b);
/// Values of the operation of one or two operands, where nothing wraps and no divisor is 0; anything of one that is not
/// known here.
Interval intervalOf(Op op, const Interval &a, const Interval &b);

/// What `e` can be where nothing wraps. `leaf` tells it of what is no arithmetic of integers: symbols, reads, casts of
/// floating-point numbers, comparisons, calls.
Interval intervalOf(const Expr &e, const std::function<Interval(const Expr &)> &leaf);

} // namespace polymend
