// Products as lists of their factors.
#pragma once

#include "polymend/expr.h"

namespace polymend {

/// The factors of a product, in order; a value that is no product is its only factor. A product of another type below
/// is one factor: it is rounded on its own.
std::vector<Expr> factorsOf(const Expr &product);

/// The product of factors, multiplied from the first on; absent: there are none.
Expr productOf(const std::vector<Expr> &factors);

/// The value that `factor` is made of by conversions of floating numbers alone, those that round too.
Expr unconverted(const Expr &factor);

/// The 16-bit value that `factor` is, through conversions that keep it; absent: it is no such value.
Expr narrowOf(const Expr &factor);

} // namespace polymend
