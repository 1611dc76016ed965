// time_tiled: several turns of a loop over time in a launch of a GPU.
#pragma once

#include "lowered.h"

namespace polymend {

/// Puts tiles of time into a function's program, where they are less to read and write; what they replace stays in
/// `untiled`. Refused: the same with small tiles does not leave the same bits.
std::optional<Refusal> tileTime(const PipelineOptions &options, FunctionTrace &trace, Lowered &lowered);

} // namespace polymend
