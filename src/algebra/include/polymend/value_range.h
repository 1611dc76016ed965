// range: where the values of an expression lie, by its operations alone.
#pragma once

#include "polymend/expr.h"

#include <limits>

namespace polymend {

/// low <= value <= high, or the value is NaN where `nan` says that it may be.
struct ValueRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool nan = true;
  /// Neither end is infinite.
  [[nodiscard]] bool isBounded() const;
  /// Inside [least, most].
  [[nodiscard]] bool isWithin(double least, double most) const { return least <= low && high <= most; }
};

/// All values of an expression over symbols and reads of which nothing is known, in the arithmetic of its types: ends
/// are moved outwards by more than what an operation rounds, beyond the largest number of a type lies infinity, below
/// its smallest normal one zero.
ValueRange rangeOf(const Expr &e);

} // namespace polymend
