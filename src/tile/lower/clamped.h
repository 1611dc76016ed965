// Subscripts that data choose, within what the source says of them.
#pragma once

#include "polymend/expr.h"

#include <functional>
#include <optional>

namespace polymend {

/// The subscripts of read number `read` of the value with any number of its type for each part that `isOpen`, within
/// what clamps around it and comparisons say that choose the read. Absent: no part is open, or one may be anything.
std::optional<std::vector<Expr>> clamped(const std::vector<Expr> &subscripts, const Expr &value, int read,
                                         const std::function<bool(const Expr &)> &isOpen);

} // namespace polymend
