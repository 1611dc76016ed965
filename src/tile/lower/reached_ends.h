// Whether the ends that the arithmetic of intervals finds for a position are positions of iterations.
#pragma once

#include "polymend/expr.h"
#include "polymend/isl.h"

namespace polymend {

/// Does the position, over the box around the iterations, lie between two positions that iterations have? It goes one
/// way with each iterator, and both corners that it goes to are iterations, for all sizes.
bool reachesEnds(const Expr &position, const std::vector<std::string> &iterators, const isl::set &iterations);

} // namespace polymend
