// Constants for the running values of bounded extremes.
#pragma once

#include "polymend/relax.h"

namespace polymend {

/// The producers of the system for which a constant serves in all corrections that watch them (Steady). All of it must
/// be proved: the range of what is reduced, that no output changes, that a sum tells how far the constant is off.
std::vector<ConstantPivot> findConstantPivots(const Relaxed &relaxed);

} // namespace polymend
