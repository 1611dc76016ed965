// How much a function does.
#pragma once

#include "polymend/model.h"
#include "polymend/tile.h"

namespace polymend {

/// About how many simple operations the source's statements take, a Float64 over the sizes that cannot wrap. A nest
/// counts with the box around its points, a loop whose bounds others move with half of it or with its longest range; of
/// nests within a larger one's box only the larger counts. Absent: a loop's bounds are not known before it runs.
Expr workOf(const Function &function, const Scop &scop);

/// About how often a program starts threads, in the time that the first start takes: an integer, or a Float64 over
/// sizes that cannot wrap. Threads that have just run wait for more, and start sooner.
Expr startsOf(const TileProgram &program);

} // namespace polymend
