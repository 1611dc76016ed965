// Split-K: what the parts of a phase's loop leave in memory, and how it is combined.
#pragma once

#include "pivots.h"

namespace polymend {

/// The arrays in memory that `parts` parts leave their running values, states and pivots in.
std::vector<TileArray> partArrays(const PhaseContext &context, const MendedStates &states, const Expr &parts);
/// Writes a member's running value or state, and the pivots it owns, to memory.
TileBlock savePart(const PhaseContext &context, const MendedStates &states, const BlindRows &blind,
                   const Seated &seated);
/// Brings a member's parts to the final pivot and combines them into its result.
TileBlock combineParts(const PhaseContext &context, const MendedStates &states, BlindRows &blind, const Seated &seated,
                       const Expr &parts);

} // namespace polymend
