// Positions of elements that are linear in the iterators, with whatever factors the sizes give: their exact ranges.
#pragma once

#include "polymend/expr.h"
#include "polymend/isl.h"
#include "polymend/tile.h"

namespace polymend {

/// Does no iterator occur in the expression?
bool reachesNone(const Expr &e, const std::vector<std::string> &iterators);

/// A position in which each iterator occurs once, its factors added up, so that the arithmetic of intervals loses
/// nothing over a box; the position itself where it is not linear, or no iterator occurs twice.
Expr collected(const Expr &position, const std::vector<std::string> &iterators);

/// From the least to the greatest position over the iterations: one part where they are a box, else one for each corner
/// of their hull. Empty: the position is not linear, or the corners are no iterations for all sizes.
std::vector<TouchedPart> partsOfLinear(const Expr &position, const std::vector<std::string> &iterators,
                                       const isl::set &iterations);

} // namespace polymend
