// Elements that an innermost loop updates again and again.
#pragma once

#include "polymend/model.h"
#include "polymend/tile.h"

namespace polymend {

/// The points, of which all along the last dimension update one element, with that element in `scalar`: read
/// before them and stored behind them. Absent: they update others, the statement that they are of reads other elements
/// that may be the same, or they are no loops in order.
std::optional<TileBlock> inRegister(const TilePoints &points, const Statement &statement, const TileArray &scalar);

/// The same where the loop around the last dimension is parallel: as many of its points as there are scalars run beside
/// one another, from `block` on; what is left of them, one after another. Absent for integers, too, of which compilers
/// take the terms in vectors.
std::optional<TileBlock> inRegisters(const TilePoints &points, const Statement &statement,
                                     const std::vector<TileArray> &scalars, const std::string &block);

} // namespace polymend
