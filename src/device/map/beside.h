// Points beside one another that read elements beside one another: a thread each, where there are many.
#pragma once

#include "polymend/tile.h"

#include <set>

namespace polymend::device_room {

/// Do points beside one another, along the grid's last dimension, read neighbours, or the same, of all that regions and
/// loops of the body read of arrays, and write so, too? `own`: the kernel's tiles, of which each point has its own.
bool readsBeside(const TileBlock &body, const std::vector<PointDim> &grid, const std::set<std::string> &own);

/// Do all points that a block may run meet the same regions in the same turns, and none of the box is left out?
bool runsAlike(const TileBlock &body, const std::vector<PointDim> &grid, const std::vector<std::pair<Expr, Expr>> &box);

} // namespace polymend::device_room
