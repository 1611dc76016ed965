// Lowering of one phase: a loop over chunks of the rolled dimensions with its members' point regions.
#pragma once

#include "tile/frame.h"

namespace polymend {

/// A loop over chunks of one dimension in a rectangular kernel. Chunks that begin in [fullFirst, fullLimit) fill every
/// box and run `full`; the others run `masked`. Both bounds are multiples of the step away from `first`.
struct ChunkLoop {
  std::string variable;
  Expr first, limit;
  std::int64_t step = 1;
  Expr fullFirst, fullLimit;
  TileBlock full, masked;
  bool endsFull = false; // no chunk runs `masked` behind those that fill every box
  bool isDense = false;  // every member runs, at some row of the tile, at each point from the first chunk to the limit,
                         // none of which is negative
};

/// A phase of a rectangular kernel.
struct RectangularPhase {
  TileBlock before;
  std::optional<ChunkLoop> loop;
  TileBlock after;
  std::vector<std::pair<std::string, Expr>> lets = {}; // as in Kernel
};

/// A part of a phase, and the arrays in memory that it leaves its states in.
template <class Lowered> struct PhasePart {
  Lowered lowered;
  std::vector<TileArray> arrays;
};

/// The whole phase.
TileBlock lowerPhase(KernelFrame &frame, const Phase &phase);
/// The phase's loop from the chunk that the grid variable `part` numbers, on by as many chunks as the plan has parts;
/// states go to arrays in memory, for so many `parts`: no others have a chunk.
PhasePart<TileBlock> lowerPhasePart(KernelFrame &frame, const Phase &phase, const std::string &part, const Expr &parts);
/// Combines what the parts of a phase left behind, then finishes like lowerPhase.
TileBlock lowerPhaseCombine(KernelFrame &frame, const Phase &phase, const Expr &parts);
/// As lowerPhase, in a rectangular kernel; absent: a region has no box of constant extents.
std::optional<RectangularPhase> lowerPhaseRectangular(KernelFrame &frame, const Phase &phase);
/// As lowerPhasePart, in a rectangular kernel; each part is a run of neighbouring chunks.
std::optional<PhasePart<RectangularPhase>> lowerPhaseRectangularPart(KernelFrame &frame, const Phase &phase,
                                                                     const std::string &part, const Expr &parts);
/// As lowerPhaseRectangularPart, where the grid variable `part` numbers the chunks: no loop is left.
std::optional<PhasePart<TileBlock>> lowerPhaseRectangularChunk(KernelFrame &frame, const Phase &phase,
                                                               const std::string &part, const Expr &parts);

} // namespace polymend
