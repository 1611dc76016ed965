// Kernels on matrix units whose tiles are in runs that data bound.
#pragma once

#include "role_frame.h"

namespace polymend::print_room {

/// Finds the tile of the next number: $ticket, $run and $tile; no ticket where there is none. By the thread that draws.
void walkRuns(RoleFrame &frame, Writer &out);

/// What a group without rows does of a block that computes: it takes slots and gives them back.
DeviceBlock passing(const DeviceBlock &nodes);

} // namespace polymend::print_room
