// Small data with an infinity or a NaN in one place, for which rows are computed again.
#pragma once

#include "polymend/interpret.h"
#include "polymend/lower.h"
#include "polymend/relax.h"

namespace polymend {

/// Data that a program is run on, and whether an element that is NaN in the source's order may be any other value.
struct ExceptionalRun {
  std::string what; // "x[3] is infinite"
  Memory start;
  bool excusesNaN = false;
};

/// The data of `start` with one exceptional element each, in floating arguments that no assumption keeps free of them.
std::vector<ExceptionalRun> exceptionalRuns(const TileProgram &program, const Relaxed &relaxed, const Memory &start);

} // namespace polymend
