// Which arguments a function fills, whatever was in them before.
#pragma once

#include "polymend/model.h"
#include "polymend/tile.h"

namespace polymend {

/// Are all elements of `array` that the extents of `argument` tell written, and is none read before it was? Unknown is
/// no.
bool isFilled(const Scop &scop, const Array &array, const TileArray &argument);

} // namespace polymend
