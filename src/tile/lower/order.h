// The general route: a function without a system of equations keeps the order of its loops.
#pragma once

#include "polymend/lower.h"

namespace polymend {

/// Lowers the source's loops one by one; a loop that carries no dependence becomes parallel. Returns why it cannot.
std::optional<Refusal> lowerInOrder(const Function &function, const Scop &scop, const Dependences &dependences,
                                    TileProgram &program);

} // namespace polymend
