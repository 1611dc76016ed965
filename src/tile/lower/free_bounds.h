// A bound of a loop without the loops around it.
#pragma once

#include "polymend/expr.h"

#include <optional>
#include <set>
#include <string>

namespace polymend {

/// The least value of an integer expression whose `variables` stand in remainders by constants alone, over all that
/// these may be, as an expression without them; absent: they stand elsewhere too.
std::optional<Expr> leastOver(const std::set<std::string> &variables, const Expr &e);
/// The greatest one.
std::optional<Expr> mostOver(const std::set<std::string> &variables, const Expr &e);

} // namespace polymend
