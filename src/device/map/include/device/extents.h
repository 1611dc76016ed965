// How large arrays are.
#pragma once

#include "polymend/tile.h"

namespace polymend::device_room {

/// The number of elements of an array, from the first one to the last that is used; absent: an extent is unknown.
Expr elementsOf(const TileArray &array);

} // namespace polymend::device_room
