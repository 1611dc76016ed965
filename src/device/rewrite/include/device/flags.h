// Rewrite: a maximum of zeros and ones is a condition: f max= c ? 0 : 1 becomes f = 1 where c is false.
// Condition: the tile holds integers of one thread, and every assignment to it gives 0 or 1.
// Bound: none.
#pragma once

#include "polymend/device.h"

namespace polymend::device_room {

DeviceKernel withFlags(DeviceKernel kernel);

} // namespace polymend::device_room
