// Chunks in which no point takes part.
#pragma once

#include "context.h"

namespace polymend {

/// A chunk's block, which is passed over where a condition on arrays leaves out all of its points for each member.
TileBlock whereAnyTakesPart(const PhaseContext &context, TileBlock chunk);

} // namespace polymend
