// What tells of a chunk of columns and a tile of rows whether a condition on arrays leaves out all of their points,
// none or some.
#pragma once

#include "tile/matrix.h"

namespace polymend {

/// A condition on the points of chunk number `chunk`, for the rows at a grid point.
struct ChunkQuestion {
  RectangularKernel &kernel;  // whose names are taken
  Expr condition;             // over the grid, `dims` and `chunk`
  std::vector<PointDim> dims; // rows and columns of a chunk
  std::vector<PointDim> grid; // of the kernel's, those that the condition or the domain depends on
  Expr chunk, chunks;         // a symbol that counts from zero; how many chunks there are
};

/// The kind of each chunk at each grid point, and the kernel that leaves them there. 0: no point takes part; 2: all do,
/// and the domain leaves none out; 1: else.
struct ChunkKinds {
  TileArray kinds;
  Kernel kernel;
};

/// By the least and the largest values, over the rows of a tile and over the columns of a chunk, of what the condition
/// compares: of each array as often as there are tiles. Absent: the condition is none on such values.
std::optional<ChunkKinds> kindsByRanges(const ChunkQuestion &question, const PassContext &context);

/// By asking at all points of all chunks; absent: an array has an unknown extent.
std::optional<ChunkKinds> kindsByPoints(const ChunkQuestion &question, const PassContext &context);

} // namespace polymend
