// Exceptional rows are computed again as the source does.
#pragma once

#include "context.h"

namespace polymend {

/// The member's whole range for each row of the tile that is marked, and before it those of the reductions that it
/// shares computed values with.
TileBlock fallbackRow(const PhaseContext &context, const Seated &seated, const std::string &mark);

} // namespace polymend
