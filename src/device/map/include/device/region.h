// Regions of points as loops and forms of a processor with vectors.
#pragma once

#include "polymend/device.h"

#include "device/scope.h"

namespace polymend::device_room {

/// The nodes of a kernel's body, carried out by one thread: each region in the form and the order of loops that walk
/// memory in the longest runs. Names that it gives to values are fresh in `scope`.
DeviceBlock mapBlock(const TileBlock &nodes, Scope &scope);

} // namespace polymend::device_room
