// Which points of a general kernel have the marks of a tile of a kernel with roles.
#pragma once

#include "polymend/device_roles.h"

namespace polymend::device_room {

/// The points whose marks are those of a tile, per dimension of the general grid. Absent: the marks that a point reads
/// are not all of one tile, or that could not be seen.
std::optional<std::vector<DevicePoints>> pointsInTile(const Kernel &roles, const Kernel &general);

} // namespace polymend::device_room
