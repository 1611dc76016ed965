// lower (of the tile room): Schedule -> TileProgram. Equations become point regions over tiles in named spaces; a
// mended reduction carries its state, the pivot it was taken at, and is mended when the pivot moves; rows whose values
// are exceptional are replayed in the source's order.
#pragma once

#include "polymend/lower_options.h"
#include "polymend/schedule.h"
#include "polymend/tile.h"

namespace polymend {

Result<TileProgram> lower(const Function &function, const Scop &scop, const Dependences &dependences,
                          const Relaxed &relaxed, const Schedule &schedule, const LowerOptions &options);

/// What a program's kernels run on: threads that share points out among them, or threads that each take grid points.
enum class Processor { Cpu, Gpu };
/// Why a program in the source's order is not faster than the source; absent: nothing says so.
std::optional<std::string> nothingGained(const TileProgram &program, Processor processor);

/// How deep loops and points are nested.
std::size_t depthOf(const TileBlock &nodes);

} // namespace polymend
