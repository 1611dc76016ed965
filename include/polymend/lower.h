// lower (of the tile room): Schedule -> TileProgram. Equations become point regions over tiles in named spaces; a
// mended reduction carries its state, the pivot it was taken at, and is mended when the pivot moves; rows whose values
// are exceptional are replayed in the source's order.
#pragma once

#include "polymend/schedule.h"
#include "polymend/tile.h"
#include "polymend/units.h"

#include <map>

namespace polymend {

struct LowerOptions {
  bool reorder = true;      // --fp=strict: reduced dimensions run in order
  bool approximate = false; // --fp=approx: a factor of a product may be rounded to the 16-bit type of the other
  std::map<std::string, std::int64_t> tiles = {}; // --tile=LOOP:N by loop variable, for kernels on matrix units
  std::optional<MatrixUnits> units = {};          // of the target; absent: it has none
};

Result<TileProgram> lower(const Function &function, const Scop &scop, const Dependences &dependences,
                          const Relaxed &relaxed, const Schedule &schedule, const LowerOptions &options);

/// What a program's kernels run on: threads that share points out among them, or threads that each take grid points.
enum class Processor { Cpu, Gpu };
/// Why a program in the source's order is not faster than the source; absent: nothing says so.
std::optional<std::string> nothingGained(const TileProgram &program, Processor processor);

} // namespace polymend
