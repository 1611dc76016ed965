// Prints one kernel: its grid as parallel loops, its tiles, its body.
#pragma once

#include "print/region.h"

namespace polymend::print_room {

/// The number of elements of an array, or absent where an extent is.
/// From the first element to the last one used.
Expr elementsOf(const TileArray &array);
/// A statement that owns `rows` copies of the elements of `array` as `name`.
std::string bufferLine(const TileArray &array, const std::string &name, const std::string &rows, Context &context);
void printKernel(const Kernel &kernel, Writer &out, Context &context);

} // namespace polymend::print_room
