// Analysis: how far from zero the integers are that kernels of a GPU compute. A device adds 32 bits at twice the rate
// of 64, and holds them in half the registers; most calls need no more.
#pragma once

#include "polymend/device.h"

namespace polymend::device_room {

/// The program with DeviceKernel::reach and ::wide for those of its kernels in which every integer is bounded by sizes,
/// is of 64 bits in any case, as what it is made of is, or of 32.
DeviceProgram withReaches(DeviceProgram program);

} // namespace polymend::device_room
