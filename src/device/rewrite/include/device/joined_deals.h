// Rewrite: regions that follow one another, of whose points each thread of a block has at most one, and the same one,
// are one region.
// Condition: they are dealt out alike over the same ranges, nothing in them runs in a loop, and no barrier stands
// between them: each thread does the same in the same order.
// Bound: none.
#pragma once

#include "polymend/device.h"

namespace polymend::device_room {

DeviceKernel withJoinedDeals(DeviceKernel kernel);

} // namespace polymend::device_room
