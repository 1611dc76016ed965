// Bounds of values whose inputs are finite.
#pragma once

#include "polymend/expr.h"

namespace polymend {

struct FiniteBounds {
  double low = 0, high = 0;
};

/// Between what a number lies, unless it is NaN, when all that it reads is finite and the integers named in `natural`
/// are at least 1, rounding and underflow included; absent: it may be infinite, or nothing is known.
std::optional<FiniteBounds> finiteBounds(const Expr &value, const std::set<std::string> &natural);

} // namespace polymend
