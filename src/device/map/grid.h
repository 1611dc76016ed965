// A kernel of independent grid points on a GPU.
#pragma once

#include "polymend/map.h"

#include "device/scope.h"

namespace polymend::device_room {

/// How the kernels of one program are mapped.
struct GpuMap {
  const TileProgram &program;
  const GpuFacts &facts;
  Scope &scope;
};

/// How a launch runs its grid, where its tiles lie, and the work at a point; `users`: the kernels with roles before it
/// whose marked rows it computes again. With it `next`, where that combines what groups of this one leave, which the
/// result tells by its arrival.
Result<DeviceKernel> mapGrid(const Kernel &kernel, const Kernel *next, const std::vector<const Kernel *> &users,
                             const GpuMap &map);

/// A kernel without a grid: loops and branches of the host around launches. Adds its kernels to `kernels`.
Result<DeviceStep> mapSequence(const Kernel &kernel, std::vector<DeviceKernel> &kernels, const GpuMap &map);

} // namespace polymend::device_room
