// Rewrite: a quotient of integers that is computed more than once has a name.
// Condition: it is over sizes, the grid point and the variables of loops around, and reads nothing; at the place where
// it is named a bound of a loop or the condition of a branch divides so whatever else holds, or its divisor is the end
// of a loop around, and so positive. Bound: none.
#pragma once

#include "polymend/device.h"

#include "device/scope.h"

namespace polymend::device_room {

/// `sizes` are those of the program.
DeviceKernel withNamedQuotients(DeviceKernel kernel, const std::vector<std::string> &sizes, Scope &scope);

} // namespace polymend::device_room
