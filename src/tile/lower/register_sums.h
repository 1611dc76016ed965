// Elements that an innermost loop updates again and again.
#pragma once

#include "polymend/model.h"
#include "polymend/tile.h"

namespace polymend {

/// The points, of which all along the last dimension update one element, with that element in `scalar`: read
/// before them and stored behind them. Absent: they update others, the statement that they are of reads other elements
/// that may be the same, or they are no loops in order.
std::optional<TileNode> inRegister(const TilePoints &points, const Statement &statement, const TileArray &scalar);

} // namespace polymend
