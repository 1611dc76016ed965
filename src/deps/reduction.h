// reduction: which statements are reductions, with their chains.
#pragma once

#include "flow.h"

namespace polymend {

std::vector<Reduction> reductions(const Scop &scop, const Flow &flow);

/// { Statement[x] -> Statement[y] : x and y agree in all dimensions that are not reduced }.
isl::map sameChain(const Scop &scop, const Reduction &reduction);

} // namespace polymend
