// Prints one function for a device: its kernels and its entry on device pointers before it, and its new body.
#pragma once

#include "polymend/device.h"
#include "print/beside.h"

namespace polymend::print_room {

/// What takes the function's place, of `program`, whose entries are mapped; what it needs is added to `needs`.
FunctionText printForDevice(const Function &function, const std::string &source, const Spelled &spelled,
                            const DeviceProgram &program, const PrintOptions &options, Needs &needs);

} // namespace polymend::print_room
