// Values at the elements of a tile in registers: what one thread computes for each of them.
#pragma once

#include "polymend/expr.h"

#include <set>
#include <string>

namespace polymend::device_room {

/// A call of what the printed text brings along.
inline constexpr const char *runtimeScope = "polymend_rt::";
inline Expr callPrimitive(const std::string &name, const std::vector<Expr> &args, Type type) {
  return Expr::call(runtimeScope + name, args, type);
}

/// A value per element, after substitution: `cx` is the element's column less that of the thread's first element; all
/// else is the same along a row.
struct ElementScope {
  std::set<std::string> moving;   // symbols that differ between the elements of a row: cx and elements of matrices
  std::string column;             // the name of cx
  std::set<std::string> memory{}; // arrays that other kernels read, too
};

bool movesInRow(const Expr &e, const ElementScope &scope);

/// The value with products over the reals distributed: sums of (what moves) * (what does not), as fused multiply-adds;
/// exp as a power of two of a scaled argument, which is computed as it stands where a part that does not move is read
/// from memory: sums of such exponentials, in other kernels, have the same; conversions of integers that are linear in
/// the column split. Reorders floating arithmetic. tanh is 1 - 2 / (2^(2 x log2 e) + 1), within 2^-20, or where
/// `approximates` the machine's own, within 2^-11.
Expr arrange(const Expr &value, const ElementScope &scope, bool approximates);

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

} // namespace polymend::device_room
