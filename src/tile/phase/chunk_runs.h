// The chunks that a rectangular kernel visits, where they are several runs of neighbours.
#pragma once

#include "context.h"

#include "tile/phase.h"

namespace polymend {

/// The loop over a dimension's chunks as one over its runs: those that need a mask first, then those that need
/// none. What `lets` names is known at a grid point. Absent: both are one run of neighbours, as the loop has it, or too
/// many to be told apart.
std::optional<ChunkLoop> inRuns(const PhaseContext &outside, const ChunkLoop &loop,
                                std::vector<std::pair<std::string, Expr>> &lets);

} // namespace polymend
