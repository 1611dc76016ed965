// What a kernel on matrix units reads of arrays at a grid point before everything else.
#pragma once

#include "tile/lowering.h"
#include "tile/matrix.h"

namespace polymend {

/// Names what is read from arrays: data sizes, and, where data bound the grid, what subscripts read at a grid point.
/// Refused: a tile has rows at which it differs, or data bound more than one dimension of the grid.
std::optional<Refusal> readData(const Lowering &lowering, KernelFrame &frame, RectangularKernel &rectangular);

/// Are the rows all that lie between bounds on one dimension each, without steps? Then each point of a grid over them
/// is one of the source's.
bool fillsGrid(const isl::set &rows);

} // namespace polymend
