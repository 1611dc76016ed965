// Prints kernels on matrix units: persistent blocks in which some warps copy tiles and the others compute.
#pragma once

#include "print/gpu_kernel.h"

namespace polymend::print_room {

/// A kernel with roles, started where `when` holds of sizes (absent: always).
struct RoleStep {
  const DeviceKernel *kernel;
  Expr when;
};

/// The kernels of one launch, and the statements of the host that start it.
void printRoleKernels(const std::vector<RoleStep> &steps, DeviceFunction &function, Writer &host);

} // namespace polymend::print_room
