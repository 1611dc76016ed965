// The general route: a function without a system of equations keeps the order of its loops.
#pragma once

#include "polymend/lower.h"

namespace polymend {

/// Lowers the source's loops one by one; a loop that carries no dependence becomes parallel, and with `sharesSums` one
/// that does nothing but add to numbers, in another order. Returns why it cannot.
std::optional<Refusal> lowerInOrder(const Function &function, const Scop &scop, const Dependences &dependences,
                                    bool sharesSums, TileProgram &program);

} // namespace polymend
