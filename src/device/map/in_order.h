// The source's statements in the source's order, by one thread of a device.
#pragma once

#include "polymend/device.h"
#include "polymend/parse.h"

namespace polymend::device_room {

/// The body of `source`, which `program` stands for; refused where a local array has no size.
Result<DeviceInOrder> mapInOrder(const Function &source, const TileProgram &program, bool strict);

} // namespace polymend::device_room
