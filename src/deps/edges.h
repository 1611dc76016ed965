// edges: flow and memory-based dependences, one edge per pair of statements, kind, array and carrying loop.
#pragma once

#include "flow.h"

namespace polymend {

std::vector<Dependence> edges(const Scop &scop, const Flow &flow, const std::vector<Reduction> &reductions);

} // namespace polymend
