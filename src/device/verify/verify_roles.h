// The rules of kernels on matrix units.
#pragma once

#include "polymend/device.h"

#include <string>
#include <vector>

namespace polymend::device_room {

/// What is wrong with a kernel on matrix units; the rules of its roles as tile programs have them are asked elsewhere.
std::vector<std::string> roleFaults(const DeviceKernel &kernel);

} // namespace polymend::device_room
