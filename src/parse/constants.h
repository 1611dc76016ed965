// Arithmetic on floating-point literals.
#pragma once

#include "polymend/expr.h"

#include <optional>

namespace polymend {

/// The correctly rounded value of an IEEE operation on literals; nothing for other operations, or where it is not
/// finite.
std::optional<double> foldReal(Op op, Type type, const std::vector<Expr> &args);

} // namespace polymend
