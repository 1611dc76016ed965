// How much runs in a loop that threads may share.
#pragma once

#include "polymend/tile.h"

namespace polymend {

/// About how many assignments run in an iteration of the loop, over what is known outside it: an estimate, which
/// decides how a loop runs, never a value.
Expr workWithin(const TileLoop &loop);
/// About how often threads are started in a block, whose kernel's own points none share, but where a loop is shared
/// only if it is worth it.
Expr startsWithin(const TileBlock &nodes);
/// Iterations of the loop.
Expr tripsOf(const TileLoop &loop);

} // namespace polymend
