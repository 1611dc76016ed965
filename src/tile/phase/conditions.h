// Conditions that several concerns of a phase ask, above all of values, to tell which rows are exceptional.
#pragma once

#include "polymend/expr.h"

namespace polymend {

/// Matrix kernels scale pivots by constants: within this bound they stay finite. Rows beyond it are computed again.
constexpr double moderate = 0x1p100;
/// They also scale what stands in an exponent before they subtract a pivot, which is rounded once more by that: within
/// this bound by less than 1, so that no power leaves the range that it has without.
constexpr double moderateExponent = 0x1p24;

/// That a value is neither infinite nor NaN.
Expr isFinite(const Expr &value);
/// Is the size of a float within the bound up to which a pivot of a matrix kernel moves? Of other types: is it finite?
Expr isWithin(double bound, const Expr &value);
/// The mark of a row: 1 where it is to be computed again, 0 where the condition holds.
Expr markUnless(const Expr &regular);

/// Both conditions; one that is absent holds everywhere.
Expr both(const Expr &a, const Expr &b);
/// Where the operand of a choice is its value; absent: everywhere.
Expr branchCondition(const Expr &e, std::size_t operand);

} // namespace polymend
