// What a condition is at all points of a box, told from ranges of what it compares, in three values: it holds at all of
// them, at none of them, or neither is known.
#pragma once

#include "polymend/expr.h"

namespace polymend {

/// Bounds of a value at the points of a box at which the source computes it, none below `least` or above `most`. Where
/// it is computed at no point of the box the bounds are any two.
struct BoxRange {
  Expr least, most;
  Expr isOrdered = {}; // holds where the value is a number at all points; absent: it always is
};

/// Conditions, each of which holds only where another one holds at every point of a box at which the source asks it
/// (always), or at none of them (never).
struct Certainty {
  Expr always, never;
};

/// The bounds of an integer or a floating value; absent: unknown.
using RangeOf = std::function<std::optional<BoxRange>(const Expr &)>;

/// Absent: the condition is more than comparisons, or compares what has no known bounds.
std::optional<Certainty> certaintyOf(const Expr &condition, const RangeOf &rangeOf);

/// The bounds of a sum, a difference, a multiple, a minimum, a maximum or a quotient by a number, as integers of 64
/// bits, in which nothing overflows that does not in the source where the parts are of 32 bits or over sizes.
std::optional<BoxRange> rangeOfParts(const Expr &value, const RangeOf &rangeOf);

} // namespace polymend
