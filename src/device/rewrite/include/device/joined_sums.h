// Rewrite: reductions by a group of threads over the same points, one behind the other, are taken in one walk, and so
// are loops around them: what both read is read once.
// Condition: neither touches what the other sets; between them stand numbers for scalars alone, which the first leaves
// alone.
// Bound: none.
#pragma once

#include "polymend/device.h"

namespace polymend::device_room {

DeviceKernel withJoinedSums(DeviceKernel kernel);

} // namespace polymend::device_room
