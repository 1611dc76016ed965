// What a device program takes over from its tile program as it is.
#pragma once

#include "polymend/device.h"

namespace polymend::device_room {

/// A program without an entry and without kernels.
DeviceProgram headerOf(const TileProgram &program);

} // namespace polymend::device_room
