// Prints one kernel: its grid as parallel loops, its tiles, its body.
#pragma once

#include "print/region.h"

namespace polymend::print_room {

/// The number of elements of an array, or absent where an extent is.
Expr elementsOf(const TileArray &array);
void printKernel(const Kernel &kernel, Writer &out, Context &context);

} // namespace polymend::print_room
