// split: an update X = X (+) element, taken apart by its expression alone.
#pragma once

#include "polymend/expr.h"

#include <optional>
#include <set>

namespace polymend {

struct SplitUpdate {
  Monoid monoid = Monoid::Sum;
  bool comparison = false; // by <, as std::max and ?: do, so that a NaN changes the result with the order
  Expr element;
};

/// Splits `value` around the reads whose access numbers are in `self`; nothing when it has no such form.
std::optional<SplitUpdate> splitUpdate(const Expr &value, const std::set<int> &self);

} // namespace polymend
