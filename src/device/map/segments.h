// Kernels whose points have rows that are read from arrays: what neighbouring points share of them.
#pragma once

#include "device/scope.h"
#include "polymend/device.h"

namespace polymend::device_room {

/// Sets whether a thread runs a point, where neighbours have the same row: along the grid's last dimension all that is
/// stored, and some of what is read, is contiguous.
void shareNeighbours(DeviceKernel &kernel);

/// Sets where rows begin and what an element of them is worth (DeviceTeam::begin), where a row ends where the next one
/// begins. `kernel` is mapped; products of a region that folds elements need not be fused then.
void shareSegments(DeviceKernel &kernel, const Scope &scope);

} // namespace polymend::device_room
