// Which equations share a kernel, and which a loop.
#pragma once

#include "polymend/schedule.h"

namespace polymend {

/// Kernels with their phases and members, in execution order; tiles and chunks are not chosen yet.
std::vector<KernelPlan> group(const Relaxed &relaxed);

} // namespace polymend
