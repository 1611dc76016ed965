// Boxes around sets of iterations or elements: for which sizes there are any, and from where to where each dimension
// runs.
#pragma once

#include "polymend/expr.h"
#include "polymend/isl.h"
#include "polymend/tile.h"

namespace polymend {

/// The sizes for which a set has points; absent: all.
Expr conditionOf(const isl::set &set);

/// The bounds [first, limit) of a line. Of one that is stepped through, its own least and greatest points, as far as
/// sizes tell: the array may begin and end with these.
std::pair<Expr, Expr> boundsOfLine(const isl::set &line);

/// Are the bounds of a line its own least and greatest points for all sizes, whatever steps lie between them? Of a line
/// without steps they are taken to be.
bool endsAreKnown(const isl::set &line);

/// Is a line that has steps or several pieces bounded by points of its own wherever it has any? The hull of [0, n) and,
/// where 0 < n, [0, 9) ends at n + 8, which is none.
bool hullEndsWithin(const isl::set &line);

/// Is an end of the hull of a line's pieces a point of the line wherever it has any?
bool isReached(const isl::set &end, const isl::set &line);

/// Are the points all that lie in the box around them, and do they reach its sides?
bool isBox(const isl::set &points);

/// The box around dimension d of a set.
std::optional<PointDim> boxOf(const isl::set &set, unsigned d, const std::string &name);

/// The row-major position of an element; absent: an inner extent is unknown.
Expr positionOf(const std::vector<Expr> &subscripts, const std::vector<Expr> &extents);

} // namespace polymend
