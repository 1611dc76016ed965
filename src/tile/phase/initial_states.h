// What members begin with: the tiles of running values, of states and of pivots, and what they hold before any element.
#pragma once

#include "states.h"

namespace polymend {

struct InitialStates {
  MendedStates states;
  std::vector<TileBlock> blocks; // per member, before the phase's loops
};

/// Makes the tiles of all members.
InitialStates initialStates(const PhaseContext &context);

/// A part's running value begins neutral: the first value counts once, where parts are combined.
TileBlock neutralStart(const PhaseContext &context, const Seated &seated);

} // namespace polymend
