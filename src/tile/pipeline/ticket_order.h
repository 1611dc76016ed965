// The order in which blocks that live as long as the launch take grid points.
#pragma once

#include "role_tiles.h"

namespace polymend {

/// Tiles of the divided rows in turn for a group of the other dimensions, the longest first: neighbours in time read
/// the same chunks, as long as those of a group fit the cache. Where data bound a dimension of the grid, in runs.
TicketOrder ticketOrder(const std::vector<PointDim> &grid, const RoleTiles &roles);

} // namespace polymend
