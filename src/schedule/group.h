// Which equations share a kernel, and which a loop.
#pragma once

#include "polymend/schedule.h"

namespace polymend {

/// Kernels with their phases and members, in execution order; tiles and chunks are not chosen yet.
std::vector<KernelPlan> group(const Relaxed &relaxed);

/// Is output dimension `out` of the map always its input dimension `in`?
bool alwaysEqual(const isl::map &map, unsigned in, unsigned out);

} // namespace polymend
