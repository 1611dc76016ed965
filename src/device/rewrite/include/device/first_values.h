// Rewrite: a scalar of a thread is declared where it gets its first value.
// Condition: in every block that touches it the first thing to do so, but for loops and branches that declare it for
// themselves, sets it unconditionally; so no value that it has is of an iteration before.
// Bound: none.
#pragma once

#include "polymend/device.h"

namespace polymend::device_room {

/// The kernel with Place::Assignment for such tiles, and the assignments that declare them.
DeviceKernel withFirstValues(DeviceKernel kernel);

} // namespace polymend::device_room
