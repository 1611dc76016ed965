// Which arguments a function fills, whatever was in them before.
#pragma once

#include "polymend/model.h"
#include "polymend/tile.h"

namespace polymend {

/// For which sizes all elements of `array` that the extents of `argument` tell are written, and none is read before it
/// was; absent: for none that are known.
Expr whereFilled(const Scop &scop, const Array &array, const TileArray &argument);

} // namespace polymend
