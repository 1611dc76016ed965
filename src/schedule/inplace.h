// In-place arrays: what is read at entry must be read before it is overwritten.
#pragma once

#include "polymend/schedule.h"

namespace polymend {

/// A read of an element's value at entry that the kernels would run after its overwrite: the reason, or nothing.
std::optional<std::string> overwrittenTooEarly(const Relaxed &relaxed, const std::vector<KernelPlan> &kernels);

} // namespace polymend
