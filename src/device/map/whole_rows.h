// Rows whose lengths are read from arrays, in one region each: no chunk of a row is held, so that none is needed.
#pragma once

#include "polymend/tile.h"

namespace polymend::device_room {

/// Each loop over the chunks of such a row that holds one region of one dimension, as that region over the whole row.
TileBlock withWholeRows(const TileBlock &body);

} // namespace polymend::device_room
