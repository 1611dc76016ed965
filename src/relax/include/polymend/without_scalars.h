// Scalars that hold a value within one turn of a loop, and the dependences that come of there being one of each.
#pragma once

#include "polymend/deps.h"

namespace polymend {

/// The function with fewer local scalars, which computes the same to the bit: what is read once stands where it is read
/// (forward substitution); what becomes an element of an array at last is kept in that element from the start. Absent:
/// there is none of either kind. `function` is what `scop` models. What is left may hold more of them.
std::optional<Function> withoutScalars(const Function &function, const Scop &scop, const Dependences &dependences);

} // namespace polymend
