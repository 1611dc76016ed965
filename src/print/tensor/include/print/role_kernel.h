// Prints kernels with roles for sm_90a: persistent blocks in which one warp group copies tiles and the others compute.
#pragma once

#include "print/gpu_kernel.h"

namespace polymend::print_room {

std::optional<Refusal> printRoleKernel(const Kernel &kernel, DeviceFunction &function, Writer &host);

} // namespace polymend::print_room
