// Rewrite: loops in vectors over the same range, with loops of a constant few turns between them that hold one such
// loop each, are one loop in vectors; the loops of few turns are written out within it. A tile that holds an element of
// each iteration, and nothing else touches, is a scalar then, so that the sum over a window stays in a register.
// Condition: as of joined loops, of all assignments together.
// Bound: at most so many turns are written out.
#pragma once

#include "polymend/device.h"

namespace polymend::device_room {

inline constexpr std::int64_t mostTurnsOfWindow = 64, mostTurnsOfLine = 11; // of all its loops, of one

DeviceKernel withWindowsInRegisters(DeviceKernel kernel);

} // namespace polymend::device_room
