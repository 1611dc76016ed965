// When the pivots of mended states move to the running values of their producers.
#pragma once

#include "blind.h"

namespace polymend {

/// next := running value where it is regular, else the pivot in use.
Emitted movePivots(const PhaseContext &context, const MendedStates &states, BlindRows &blind, const Seated &seated,
                   bool last);
/// The size up to which the pivots of a matrix kernel move.
double pivotBound(const PhaseContext &context, const MendedStates &states, const PivotGroup &group);
/// Did the last chunk move the pivots to the producers' final values already? Then no mend is left for the end.
bool standsAtTheEnd(const PhaseContext &context, const MendedStates &states, const Seated &seated);
/// Tiles of the values that the pivots have at the end.
const std::vector<std::string> &finalPivots(const PhaseContext &context, const MendedStates &states,
                                            const Seated &seated);
/// Does a row's pivot move? In registers that is kept: what happens to such rows only is asked for by it.
Expr moved(const PhaseContext &context, const PivotGroup &group);
/// Is this the last member of the phase that shares the group's pivots?
bool lastOf(const PhaseContext &context, const MendedStates &states, const Seated &seated);
/// pivot := next.
TileBlock settle(const PhaseContext &context, const MendedStates &states, const Seated &seated);

/// What the elements of a correction's state are divided by that depends on the pivots alone.
std::vector<Expr> pivotDivisors(const Correction &correction);

} // namespace polymend
