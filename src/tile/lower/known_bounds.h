// Conditions and bounds without what loops, conditions around them and the entry's tests imply.
#pragma once

#include "polymend/tile.h"

#include <cstdint>

namespace polymend {

/// The kernels without roles, simplified: min(a, b) is a where a <= b holds at every point that comes by, a condition
/// that always or never holds is no condition. Where `longRun` is not 0, a branch of two bodies that do the same over a
/// constant range and over what is left of one, of runs at least so long, is the second body alone; where `hasBlocks`
/// products run in blocks of registers, so are two bodies of these.
TileProgram withKnownBounds(TileProgram program, std::int64_t longRun, bool hasBlocks = false);

} // namespace polymend
