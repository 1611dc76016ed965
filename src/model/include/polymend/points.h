// Expr -> isl: the points of a set at which a condition holds. The way back is in affine.h.
#pragma once

#include "polymend/expr.h"
#include "polymend/isl.h"

namespace polymend {

/// The points of `set`, whose dimensions are called `names`, at which `condition` is true; refuses at the first part
/// that is not affine in the dimensions and the set's parameters.
Result<isl::set> pointsWhere(const Expr &condition, const isl::set &set, const std::vector<std::string> &names);

} // namespace polymend
