// Sums whose terms are added in order, and computed in any.
#pragma once

#include "device/scope.h"

namespace polymend::device_room {

/// The nodes with each sum that one thread would compute alone, term by term, as one whose terms the threads of a block
/// compute in chunks, for one thread to add; what holds them joins the tiles.
TileBlock withTermsAside(const TileBlock &nodes, std::vector<TileArray> &tiles, Scope &scope);

/// Sums of which each point of a region has one, as a kernel whose blocks compute the terms of a few neighbours in
/// chunks, for a thread each to add; absent: the region is none of such.
std::optional<Kernel> sumsByBlocks(const TilePoints &points, Scope &scope);

} // namespace polymend::device_room
