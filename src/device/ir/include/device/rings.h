// What kernels with roles take of a block.
#pragma once

#include "polymend/device.h"

namespace polymend::device_room {

constexpr std::int64_t rowBytes = 128; // of a panel in shared memory

/// Bytes of a tile in shared memory, in one of its slots; 0: none that matrix units read.
std::int64_t slotBytes(const TileArray &tile);
/// Bytes of all slots of a kernel's tiles.
std::int64_t ringBytes(const Kernel &kernel);
/// Groups of 128 threads that compute.
std::int64_t computingGroups(const Kernel &kernel);

/// How the matrices in registers lie, which all do alike but for their columns; absent: there is none.
TileLayout layoutOfMatrices(const DeviceRoles &roles);

} // namespace polymend::device_room
