// What a condition joins.
#pragma once

#include "polymend/expr.h"

#include <vector>

namespace polymend {

/// The terms, in order, that `e` joins by And or Or: itself where it joins none by that; none where it is absent.
std::vector<Expr> joinedBy(Op joint, const Expr &e);

} // namespace polymend
