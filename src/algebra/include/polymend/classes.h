// Classes of floating-point values: what can be said of a value whose inputs may be anything, exceptional values
// included.
#pragma once

#include "polymend/expr.h"

#include <optional>

namespace polymend {

/// A set of classes: NaN, minus infinity, finite negative, zero of either sign, finite positive, plus infinity.
using Classes = unsigned;

namespace classes {
inline constexpr Classes NaN = 1, MinusInfinity = 2, Negative = 4, Zero = 8, Positive = 16, PlusInfinity = 32;
inline constexpr Classes Finite = Negative | Zero | Positive, Any = 63;
} // namespace classes

/// Every class that `e` can have when its arithmetic may round, overflow and underflow. `known` is asked for each node
/// first; what it does not know follows from the parts, and reads and symbols can be anything their type holds.
Classes classesOf(const Expr &e, const std::function<std::optional<Classes>(const Expr &)> &known);

/// Every class that a sum of a value of each kind can have.
Classes sumOf(Classes a, Classes b);

} // namespace polymend
