// The end of states that were sums at a constant.
#pragma once

#include "states.h"

namespace polymend {

/// After the last of the consumers: marks rows, makes results of all states, computes the marked rows again.
TileBlock finishTogether(const PhaseContext &context, const MendedStates &states, const Seated &seated);
/// The comment that explains a constant pivot.
std::string explain(const PhaseContext &context, const ConstantPivot &pivot);

} // namespace polymend
