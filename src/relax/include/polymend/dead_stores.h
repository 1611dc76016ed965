// What a function writes to arrays of its own and never reads.
#pragma once

#include "polymend/deps.h"

namespace polymend {

/// The function without statements of which no value is read: a vector is made full of zeros, and then written as a
/// whole. Such a write lies in the way of copies that each turn of a loop could have. Absent: there is none.
/// `function` is what `scop` models.
std::optional<Function> withoutDeadStores(const Function &function, const Scop &scop, const Dependences &dependences);

} // namespace polymend
