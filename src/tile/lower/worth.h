// How much runs in a loop that threads may share.
#pragma once

#include "polymend/tile.h"

namespace polymend {

/// About how many assignments run in an iteration of the loop, over what is known outside it: an estimate, which
/// decides how a loop runs, never a value.
Expr workWithin(const TileLoop &loop);
/// How deep loops and points are nested.
std::size_t depthOf(const TileBlock &nodes);
/// Iterations of the loop.
Expr tripsOf(const TileLoop &loop);

} // namespace polymend
