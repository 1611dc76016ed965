// How large arrays are, and what of them is touched.
#pragma once

#include "polymend/tile.h"

namespace polymend::device_room {

/// The number of elements of an array, from the first one to the last that is used; absent: an extent is unknown.
Expr elementsOf(const TileArray &array);

/// What is touched of an array; null: [0, n), as its extents say.
[[nodiscard]] const TouchedElements *touchedOf(const std::vector<TouchedElements> &touched, const std::string &array);

} // namespace polymend::device_room
