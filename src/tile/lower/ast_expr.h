// isl's expressions of loops as integer expressions.
#pragma once

#include "polymend/expr.h"

#include <isl/ast.h>

#include <map>
#include <optional>
#include <string>

namespace polymend {

/// Variables that stand for more than themselves: loops of one iteration.
using Standing = std::map<std::string, Expr>;
/// The value of an expression that isl made; absent: it holds an operation that has no counterpart.
std::optional<Expr> fromAst(isl_ast_expr *expression, const Standing &standing);

} // namespace polymend
