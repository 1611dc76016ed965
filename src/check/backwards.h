// Loops that are said to be independent, run the other way round.
#pragma once

#include "polymend/tile.h"

namespace polymend {

/// The program with every grid dimension and every parallel dimension of its regions and every shared loop running from
/// its last value to its first: the same values, if its points are independent of each other. Kernels with roles are as
/// they were.
TileProgram backwards(const TileProgram &program);

} // namespace polymend
