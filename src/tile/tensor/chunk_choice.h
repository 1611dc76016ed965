// Where a condition on arrays decides what a chunk of a loop does.
#pragma once

#include "masked_value.h"

#include "tile/matrix.h"

namespace polymend {

/// A matrix of the chunk that a condition on arrays decides on, element by element.
struct ChunkChoice {
  std::size_t at = 0; // of the region in the chunk
  std::string matrix;
  std::vector<PointDim> dims; // its rows and columns, from and to numbers
  Expr condition, value;      // what it is where the condition holds
  MaskedValue otherwise = MaskedValue::Unknown;
};

/// The choice in the loop of a kernel that has one.
std::optional<ChunkChoice> choiceIn(const RectangularKernel &kernel);

/// Where the source reads the arrays that have to be finite for a chunk that the choice leaves out to leave all states
/// as they are; absent: it does more.
std::optional<std::map<std::string, SourceRange>> finiteWhereLeftOut(const RectangularKernel &kernel,
                                                                     const ChunkChoice &choice);

/// The chunk where the condition holds everywhere.
TileBlock unasked(TileBlock chunk, const ChunkChoice &choice);

} // namespace polymend
