// What the entry on device pointers asks of index arrays, ahead of all kernels.
#pragma once

#include "print/function.h"
#include "print/gpu_kernel.h"

namespace polymend::print_room {

/// The kernels that look for the first fault, each only where none was found before; others then do nothing. What is
/// found goes to `given`, or to memory of the call where that is null.
void printDeviceGuard(const Function &function, const std::string &given, DeviceFunction &device, Writer &queued);

} // namespace polymend::print_room
