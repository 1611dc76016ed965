// A phase of a rectangular kernel: every region is a box of constant extents.
#pragma once

#include "loops.h"

#include "tile/phase.h"

namespace polymend {

/// Has every region a box of constant extents?
bool isBoxable(const PhaseContext &context);

/// The phase of a rectangular kernel, without what stands around its chunks.
struct RectangularChunks {
  RectangularPhase phase;
  std::set<int> watched; // as in Emitted
};

/// The phase's loop, whose bounds `shareOut` may narrow to a part's: it returns where the part begins, if it does.
RectangularChunks rectangularChunks(const PhaseContext &context, OnlineRescale &rescale, Hoisting &hoisting,
                                    const std::function<Expr(ChunkLoop &)> &shareOut);

} // namespace polymend
