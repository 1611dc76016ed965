// The loops of a phase over chunks of its rolled dimensions.
#pragma once

#include "member.h"

namespace polymend {

/// Bounds of a rolled loop, and what must hold beside them where it has a point at all: conditions on the rows alone.
struct Bounds {
  Expr first, limit;
  isl::set beside;
  bool inPieces = false; // long expressions, better computed once than wherever they are used
  Expr low = {};         // what `first` is without rounding it down to a multiple of the chunk
};

/// Bounds of the k-th rolled loop, for all turns of those inside it (rectangular: of all others); what they guarantee
/// of its variable is known in `inside` from then on.
Bounds enterLoop(PhaseContext &inside, std::size_t k);

/// All members in one chunk.
Emitted chunkBody(const PhaseContext &context, OnlineRescale &rescale, Hoisting &hoisting);

/// The rolled loops from the k-th on around the chunk.
Emitted rolledLoops(const PhaseContext &context, OnlineRescale &rescale, Hoisting &hoisting, std::size_t k = 0);

} // namespace polymend
