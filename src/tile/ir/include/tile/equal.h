// Structural equality of parts of tile programs.
#pragma once

#include "polymend/tile.h"

namespace polymend {

bool equal(const std::vector<PointDim> &a, const std::vector<PointDim> &b);
bool equal(const TileBlock &a, const TileBlock &b);

} // namespace polymend
