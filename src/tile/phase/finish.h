// States become results, and results that later kernels read go to memory.
#pragma once

#include "states.h"

namespace polymend {

/// The state becomes the result.
TileBlock finish(const PhaseContext &context, const MendedStates &states, const Seated &seated,
                 const std::map<std::string, Expr> &bound);
/// The state becomes the result, and rows that are exceptional are computed again.
TileBlock finishWithFallback(const PhaseContext &context, const MendedStates &states, const Seated &seated,
                             const std::map<std::string, Expr> &bound);
/// A result that later kernels read goes to memory.
TileBlock storeWork(const PhaseContext &context, const Seated &seated);

} // namespace polymend
