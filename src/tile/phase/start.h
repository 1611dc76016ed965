// Where reductions begin.
#pragma once

#include "context.h"

namespace polymend {

/// Where a reduction begins. Boxed: what is read from memory is read at the tile's own points only.
Expr beginning(const PhaseContext &context, const Seated &seated);
/// The state of nothing: of a sum that starts from -0 it is -0, as +0 would be seen at its end.
Expr nothingOf(const Seated &seated, Monoid monoid, Type type);

} // namespace polymend
