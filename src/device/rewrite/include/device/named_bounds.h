// Rewrite: a bound of loops that is a choice and occurs more than once has a name.
// Condition: it is an integer over sizes, the grid point and the variables of loops around, and reads nothing; it is
// named where all of these are known, before its first use, or within the branches that all its uses lie in.
// Bound: none.
#pragma once

#include "polymend/device.h"

#include "device/scope.h"

namespace polymend::device_room {

/// `sizes` are those of the program.
DeviceKernel withNamedBounds(DeviceKernel kernel, const std::vector<std::string> &sizes, Scope &scope);

} // namespace polymend::device_room
