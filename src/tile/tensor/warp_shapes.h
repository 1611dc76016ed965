// Tiles of plain products by warps: how many rows and columns, and how warps share them. A static model.
#pragma once

#include "polymend/machine.h"

#include <vector>

namespace polymend {

/// A tile of a product: an atom's rows for each warp of its groups, `beside` of which share its columns.
struct WarpShape {
  std::int64_t groups = 1, columns = 0, warpsN = 1;
  friend bool operator==(const WarpShape &, const WarpShape &) = default;
};

/// Bytes that go through shared memory for each multiplication: a warp reads its rows and its columns of a term, the
/// copies write the tile's.
double sharedBytesPerProduct(const WarpShape &shape, const MatrixUnits &units);

/// Registers that a thread needs for so many sums of matrices, a step's factors, and addresses.
std::int64_t registersNeeded(const WarpShape &shape, std::int64_t sums, const MatrixUnits &units);

/// The shapes of tiles of at most so many columns, for so many sums of matrices, that registers have room for, the best
/// first: most groups, whose warps hide each other's waits, then fewest bytes through shared memory, then fewest right
/// factors a warp.
std::vector<WarpShape> warpShapes(const MatrixUnits &units, std::int64_t sums, std::int64_t widest);

} // namespace polymend
