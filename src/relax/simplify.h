// Normal form of a system of equations.
#pragma once

#include "polymend/relax.h"

namespace polymend {

/// Maps are substituted into their readers, reductions lose dimensions they do not depend on, equal reductions become
/// one, and what reaches no store is dropped; values are unchanged, but for the order of sums where `reorder` allows
/// that.
System simplified(const System &system, bool reorder);

} // namespace polymend
