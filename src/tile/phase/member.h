// A member's step in a chunk, and what it leaves after the loops.
#pragma once

#include "mend.h"

namespace polymend {

Emitted stepMember(const PhaseContext &context, const Seated &seated, OnlineRescale &rescale, Hoisting &hoisting);
/// `watched`: as in Emitted, of the phase's chunks.
TileBlock endMember(const PhaseContext &context, const Seated &seated, OnlineRescale &rescale,
                    const std::set<int> &watched);

} // namespace polymend
