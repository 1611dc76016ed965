// Copies that fill the first rows of their slot.
#pragma once

#include "polymend/tile.h"

namespace polymend {

/// How many rows of its slot a copy fills, of those that its array has; absent: all of them, or a number of rows is not
/// what its condition says.
Expr filledRows(const TileAssign &copy);

/// Do data say which rows a copy takes, read at what these names stand for, of other arrays than `ours`?
bool isGathered(const TileAssign &copy, const std::set<std::string> &moving, const std::set<std::string> &ours);

/// In runs of how many rows a copy of so many takes them, each run one behind the other along one dimension of the
/// array: the most that divide the number of rows; 0: not even eight lie so.
std::int64_t rowsInRun(const TileAssign &copy, std::int64_t rows);

/// Does a copy take one slice of an array along its first dimension, whose extent nobody knows? Where the point of the
/// grid is one at which the source reads that slice, the array has it.
bool takesSlice(const TileAssign &copy, const TileArray &source);

/// Does a copy touch no element that the array may lack? What lies outside known extents is zero; along the dimension
/// whose extent nobody knows it must say how many rows are filled, or take a slice.
bool staysWithin(const TileAssign &copy, const TileArray &source);

} // namespace polymend
