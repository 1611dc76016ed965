// Regions that have nothing to do with one another.
#pragma once

#include "polymend/tile.h"

namespace polymend::device_room {

/// Do no points of two regions touch one element that one of them writes? Unknown is no: told is only what two of the
/// bounds and subscripts say together, as columns before a pivot and behind it, or below a diagonal and above it.
bool areApart(const TilePoints &a, const TilePoints &b);

} // namespace polymend::device_room
