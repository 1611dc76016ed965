// Prints one kernel: its grid as parallel loops, its tiles, its body.
#pragma once

#include "polymend/device.h"

#include "print/expression.h"
#include "print/writer.h"

namespace polymend::print_room {

/// A statement that owns `rows` copies of the elements of `array` as `name`.
std::string bufferLine(const TileArray &array, const std::string &name, const std::string &rows, Context &context);
/// `isOnly`: the program has no other.
void printKernel(const DeviceKernel &kernel, bool isOnly, Writer &out, Context &context);

} // namespace polymend::print_room
