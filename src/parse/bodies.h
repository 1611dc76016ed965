// Bodies with other expressions in them.
#pragma once

#include "polymend/parse.h"

namespace polymend {

/// A body with what `value` makes of each assignment's value, and `other` of bounds, conditions and subscripts of what
/// is written.
Body withValues(const Body &body, const std::function<Expr(const Assign &)> &value,
                const std::function<Expr(const Expr &)> &other);

} // namespace polymend
