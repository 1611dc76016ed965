// A kernel of independent grid points on a processor with threads and vectors.
#pragma once

#include "polymend/device.h"

#include "device/scope.h"

namespace polymend::device_room {

/// How threads share its grid, where its tiles lie, and its body, carried out by one thread.
DeviceKernel mapKernel(const Kernel &kernel, const TileProgram &program, Scope &scope);

} // namespace polymend::device_room
