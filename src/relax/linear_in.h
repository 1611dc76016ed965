// linear_in: a * x + b.
#pragma once

#include "polymend/expr.h"

#include <optional>

namespace polymend {

/// a * x + b of an expression that reads x; absent factors are 1, absent terms 0.
struct LinearParts {
  Expr factor, term;
};

/// The parts of an expression of a type that is computed in, by the array that x is an element of; absent: it has no
/// such form, or each step is rounded to another type.
std::optional<LinearParts> linearIn(const Expr &e, const std::string &x);

} // namespace polymend
