// What is known about integer expressions of a program: constant bounds, and bounds free of a variable.
#pragma once

#include "polymend/interval.h"
#include "polymend/tile.h"

#include <map>
#include <optional>

namespace polymend::device_room {

/// What `e` can be where the symbols lie in `known`.
Interval boundsOf(const Expr &e, const std::map<std::string, Interval> &known);

/// A bound of `e` over first <= dim.variable < limit that does not use the variable: the largest value if `upper`,
/// else the smallest; absent where `e` does not move monotonically. Says nothing about an empty dimension.
Expr withoutVariable(const Expr &e, const PointDim &dim, bool upper);

/// The bounds of dims[index] over the box of all dimensions before it.
struct Box {
  Expr first, limit;
};
std::optional<Box> boxOf(const std::vector<PointDim> &dims, std::size_t index);

} // namespace polymend::device_room
