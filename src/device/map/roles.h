// Kernels on matrix units.
#pragma once

#include "polymend/device.h"

namespace polymend::device_room {

/// A kernel with roles, whose marks are not asked for yet; refused: what its matrix units, channels or registers are no
/// match for.
Result<DeviceKernel> mapRoles(const Kernel &kernel, const TileProgram &program, bool approximates);

/// Where the kernels with roles of the program note what they marked, once all kernels are mapped: which of them call a
/// general one is known then.
void mapMarks(const TileProgram &program, DeviceProgram &mapped);

} // namespace polymend::device_room
