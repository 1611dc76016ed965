// Bodies with other expressions in them.
#pragma once

#include "polymend/parse.h"

namespace polymend {

/// A body with what `assigned` makes of each assignment, and `bound` of the bounds of loops and the conditions.
Body changed(const Body &body, const std::function<Assign(const Assign &)> &assigned,
             const std::function<Expr(const Expr &)> &bound);

} // namespace polymend
