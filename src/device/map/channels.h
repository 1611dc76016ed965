// The channels of a kernel with roles.
#pragma once

#include "polymend/device.h"

namespace polymend::device_room {

/// Adds the kernel's channels to `roles`, one after the other in shared memory; refused: a tile that none can be made
/// of, or a copy that no warp and no engine can make.
std::optional<Refusal> mapChannels(const Kernel &kernel, const TileProgram &program, DeviceRoles &roles);

/// What a copy fills its channel with, whose rows come in runs of `run`, or all in one where that is 0.
DeviceFill fillOf(const TileAsync &copy, std::int64_t run);

} // namespace polymend::device_room
