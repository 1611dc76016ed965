// The grid of a kernel: the box of its row tiles.
#pragma once

#include "tile/frame.h"

namespace polymend {

/// The grid of a kernel's row tiles; a rectangular kernel's is a box, whose points beyond the rows store nothing. The
/// frame gets the rows' axes and what the grid guarantees.
void bindGrid(KernelFrame &frame, Kernel &kernel);

} // namespace polymend
