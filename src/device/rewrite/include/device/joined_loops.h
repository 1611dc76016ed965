// Rewrite: loops in vectors over the same range, one behind the other, are one.
// Condition: they hold assignments alone, and of each array that either writes an iteration touches elements that no
// other iteration does: some subscript of it is the variable in all of them.
// Bound: none.
#pragma once

#include "polymend/device.h"

namespace polymend::device_room {

DeviceKernel withJoinedLoops(DeviceKernel kernel);

} // namespace polymend::device_room
