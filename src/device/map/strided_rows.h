// Grids that data bound, of which no host knows how many points there are.
#pragma once

#include "polymend/tile.h"

namespace polymend::device_room {

/// The kernel with grid dimensions whose bounds read arrays as loops within points: each of so many points of the grid
/// takes every so-manieth row, from its own on.
Kernel withStridedRows(const Kernel &kernel);

} // namespace polymend::device_room
