// Rewrite: where a chunk begins has a name, for as long as a turn of the loop over chunks.
// Condition: it is an integer that is chosen, or read from an array that no role writes, over sizes, the grid point and
// the variables of loops around; copies or regions of the turn use it. Before the loop: more than once. Bound: none.
#pragma once

#include "polymend/device.h"

namespace polymend::device_room {

/// The blocks of a kernel's roles; `sizes` are those of the program.
void namePlaces(DeviceRoles &roles, const std::vector<PointDim> &grid, const std::vector<std::string> &sizes);

} // namespace polymend::device_room
