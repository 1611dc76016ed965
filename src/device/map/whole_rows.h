// Rows in one region each, where no chunk of a row is held, so that none is needed: such whose lengths are read from
// arrays, and others.
#pragma once

#include "polymend/tile.h"

namespace polymend::device_room {

/// Each loop over the chunks of such a row that holds one region of one dimension, as that region over the whole row.
TileBlock withWholeRows(const TileBlock &body);

/// The same of rows whose ends are known from sizes, the grid and loops around them, wherever they stand.
TileBlock withKnownRows(const TileBlock &body);

} // namespace polymend::device_room
