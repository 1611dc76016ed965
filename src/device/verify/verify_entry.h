// What must hold of a program's entries.
#pragma once

#include "polymend/device.h"

namespace polymend::device_room {

/// Tests are of arguments and ask for what is given; what kernels touch is on the device when they run, and what they
/// write comes back; where the device is asked whether arguments share memory, something runs in the kernels' place.
std::vector<std::string> entryFaults(const DeviceProgram &program);

} // namespace polymend::device_room
