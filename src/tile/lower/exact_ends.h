// The first and the last element that is touched, for all sizes: a copy must not go beyond them, since what lies there
// may be none of the caller's.
#pragma once

#include "polymend/isl.h"
#include "polymend/tile.h"

namespace polymend {

/// Names for the dimensions of an array, which no size has.
std::string dimensionName(unsigned d);

/// Is each bound of the box around what is touched the one of a touched element?
bool isExact(const isl::set &touched);

/// From the least to the greatest element that is touched, for each of some cases of sizes; empty: they are too many.
std::vector<TouchedPart> exactParts(const isl::set &touched, const std::vector<Expr> &extents);

/// The part of what iterations touch, whose dimensions end where iterations do, for each of some cases of sizes: beyond
/// them an element that tells where another lies may be none of the caller's.
std::vector<TouchedPart> withExactEnds(const TouchedPart &part, const isl::set &iterations,
                                       const std::vector<std::string> &iterators);

/// The extents that must be those of what is touched: where the source gives none, or counts in a flat array, whose
/// last row ends with the last element that is used. Absent ones need not.
std::vector<Expr> extentsTold(const std::vector<Expr> &extents, const TileArray &argument);

/// Is zero the least index of every dimension, and the greatest the one that its extent tells?
bool isWhole(const isl::set &touched, std::size_t dimensions, const std::vector<Expr> &told);

/// The sizes for which something is touched, of those for which the array has elements at all; absent: all.
Expr whereTouched(const isl::set &touched, const TileArray &argument);

/// Are elements touched besides the first one where an inner extent leaves the array none?
bool reachesBeyondNone(const isl::set &touched, const std::vector<Expr> &extents);

/// The sizes for which rows have no elements and yet the first of each is read, all of them the array's first; absent:
/// none.
Expr whereFirst(const isl::set &touched, const std::vector<Expr> &extents);

} // namespace polymend
