// Rewrite: sums over the same points that call the same functions are one region, in which each is called once.
// Condition: the functions have no form in vectors; nothing between the sums writes what the first reads, or touches
// what it writes; neither sum reads the other.
// Bound: none; each sum takes its terms in the order of the points.
#pragma once

#include "polymend/tile.h"

namespace polymend::device_room {

TileBlock withJoinedSums(const TileBlock &nodes);

} // namespace polymend::device_room
