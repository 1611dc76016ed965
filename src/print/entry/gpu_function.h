// Prints one function for a device: its kernels and its entry on device pointers before it, and its new body.
#pragma once

#include "print/beside.h"

namespace polymend::print_room {

/// What takes the function's place; what it needs is added to `needs` if there is a text.
Result<FunctionText> printForDevice(const Function &function, const std::string &source, const Spelled &spelled,
                                    const TileProgram &program, const PrintOptions &options, Needs &needs);

} // namespace polymend::print_room
