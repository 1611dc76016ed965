// Rewrite: assignments in a row that wait for the same condition stand in one branch. A scalar that is a choice by this
// condition, and is read nowhere but there, is set in it: no value is chosen for where nobody asks.
// Where threads run a point each, so does what takes long and is read under a condition alone.
// Condition: what the condition reads is assigned by none of them but the last; the scalar is touched in such runs
// alone, after it was set there.
// Bound: none.
#pragma once

#include "polymend/device.h"

namespace polymend::device_room {

DeviceKernel withOneCondition(DeviceKernel kernel);

} // namespace polymend::device_room
