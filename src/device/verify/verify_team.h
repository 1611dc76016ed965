// What must hold of kernels of teams.
#pragma once

#include "polymend/device.h"

namespace polymend::device_room {

/// Places of tiles, forms of regions, and barriers that all threads reach.
std::vector<std::string> teamFaults(const DeviceKernel &kernel);

} // namespace polymend::device_room
