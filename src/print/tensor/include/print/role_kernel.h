// Prints kernels on matrix units: persistent blocks in which some warps copy tiles and the others compute.
#pragma once

#include "print/gpu_kernel.h"

namespace polymend::print_room {

/// The kernel, and the statements of the host that start it where `when` holds of sizes (absent: always).
void printRoleKernel(const DeviceKernel &kernel, const Expr &when, DeviceFunction &function, Writer &host);

} // namespace polymend::print_room
