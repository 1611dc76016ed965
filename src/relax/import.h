// Moving expressions between equations.
#pragma once

#include "relax/operands.h"

#include "polymend/relax.h"

namespace polymend {

/// Rewrites `value`, over the dimensions of `from`, into equation `to`: dimension k becomes `at[k]`, and `map` is
/// { to[dims] -> from[dims] } (or from the keys of `to`, for initial values). Operands are added to `to` as needed.
Expr import(const Expr &value, const Equation &from, const std::vector<Expr> &at, const isl::map &map, Equation &to);

/// `equation` without its expressions and operands: the shell that a rewritten equation is built in.
Equation shell(const Equation &equation);

/// Rebuilds value and initial of `equation` through `replace`, which sees each Read with its operand and the map's
/// domain names, and returns the expression to put there (importing into the new equation).
using ReadRewriter = std::function<Expr(const Expr &read, const Operand &operand, Equation &to)>;
Equation rebuild(const Equation &equation, const ReadRewriter &replace);

/// A read of `operand` in `to`, with canonical subscripts where the operand is affine.
Expr readOf(const Expr &read, const Operand &operand, Equation &to, const System &system);

} // namespace polymend
