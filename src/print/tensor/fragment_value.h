// Values at the elements of a fragment: what one thread computes for each of its registers.
#pragma once

#include "print/expression.h"

#include <optional>
#include <string>
#include <vector>

namespace polymend::print_room {

/// A value per element, after substitution: `cx` is the element's column less that of the thread's first element; all
/// else is the same along a row.
struct ElementScope {
  std::set<std::string> moving; // symbols that differ between the elements of a row: cx and elements of matrices
  std::string column;           // the name of cx
};

bool movesInRow(const Expr &e, const ElementScope &scope);

/// The value with products over the reals distributed: sums of (what moves) * (what does not), as fused multiply-adds;
/// exp as a power of two of a scaled argument; conversions of integers that are linear in the column split. Reorders
/// floating arithmetic.
Expr arrange(const Expr &value, const ElementScope &scope, Context &context);

/// Comparisons of integers that are linear in the column as bounds of the column.
Expr arrangeCondition(const Expr &condition, const ElementScope &scope);

/// The operand of roundings to a 16-bit type at the leaves of selections: packing rounds once more.
Expr beforeRounding(const Expr &e);

/// Increasing functions that a maximum or minimum of `value` can be taken before: the value within, and how to apply
/// them to the result (over the symbol `hole`).
struct Monotone {
  Expr inner, outer;
};
Monotone peelIncreasing(const Expr &value, const ElementScope &scope, const std::string &hole);

} // namespace polymend::print_room
