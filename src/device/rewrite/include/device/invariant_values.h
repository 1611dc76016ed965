// Rewrite: what a sum or an innermost loop would compute anew for every element, although it is the same for all, has a
// name before it; the name serves as long as what it is made of stays.
// Condition: it reads scalars, sizes and variables around, which exist wherever it is computed, and nothing that the
// loop sets; floating point, which does not trap.
// Bound: none.
#pragma once

#include "device/scope.h"
#include "polymend/device.h"

namespace polymend::device_room {

DeviceKernel withInvariantValues(DeviceKernel kernel, Scope &scope);

} // namespace polymend::device_room
