// Loops that run beside the one over chunks of a rectangular kernel.
#pragma once

#include "context.h"

#include "tile/phase.h"

#include <map>

namespace polymend {

/// A loop that runs beside the one over chunks: every chunk is visited at each of its turns.
struct Turns {
  std::string variable;
  Expr first, limit;
};

/// The block with variables replaced by values.
TileBlock withValues(const TileBlock &block, const std::map<std::string, Expr> &values);
/// The rolled dimension that comes in chunks; the last, if none does.
std::size_t chunkedAxis(const PhaseContext &context);
/// Those of a member's points whose coordinates in the loops that turn are some that a loop takes.
isl::set atTurns(const PhaseContext &context, const isl::set &points, const Seated &seated);
/// The values of the variables outside, and of `variable`, for which `filled` holds at every turn of the other loops.
isl::set atEveryTurn(const PhaseContext &context, const isl::set &filled, const std::string &variable);
/// The loop over all pairs of a chunk and a turn, numbered from zero; what `lets` names is known at a grid point.
ChunkLoop flattened(const PhaseContext &context, const ChunkLoop &loop, const std::vector<Turns> &others,
                    std::vector<std::pair<std::string, Expr>> &lets);

} // namespace polymend
