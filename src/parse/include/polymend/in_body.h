// A function's body with other expressions in it.
#pragma once

#include "polymend/parse.h"

#include <functional>

namespace polymend {

/// The body with what `assigned` makes of each assignment, and `bound` of the bounds of loops and the conditions.
Body changed(const Body &body, const std::function<Assign(const Assign &)> &assigned,
             const std::function<Expr(const Expr &)> &bound);

/// The body with each value, subscript, bound and condition as `expression` says; each assignment is changed by
/// `assigned`, where there is one, behind that.
Body inBody(const Body &body, const std::function<Expr(const Expr &)> &expression,
            const std::function<void(Assign &)> &assigned = {});

} // namespace polymend
