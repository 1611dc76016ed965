// Which points of a general kernel have the marks of a tile of a kernel with roles.
#pragma once

#include "polymend/tile.h"

#include <set>

namespace polymend::device_room {

/// Points of the general kernel along a dimension of its grid: from count * v on, where v is a coordinate of a tile,
/// `count` of them, as far as they are below the limit.
struct PointsAlong {
  std::string coordinate;
  std::int64_t count = 1;
  Expr limit; // over sizes; absent: all are
};

/// The points whose marks are those of a tile, per dimension of the general grid. Absent: the marks that a point reads
/// are not all of one tile, or that could not be seen.
std::optional<std::vector<PointsAlong>> pointsInTile(const Kernel &roles, const Kernel &general);

} // namespace polymend::device_room
