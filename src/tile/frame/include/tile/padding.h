// Tiles of few rows in a box of many, for units that take no fewer.
#pragma once

#include "polymend/schedule.h"

namespace polymend {

/// A row dimension whose tile has fewer rows than its box. The others stand for rows of later tiles, or for none: what
/// is computed there is never stored.
struct Padding {
  std::size_t row = 0;   // of the kernel's row dimensions
  std::int64_t rows = 0; // of the box
};

/// Does the operand give the same on all rows of an aligned tile of `rows` along dimension `dim` of the equation?
bool sameForTile(const Equation &e, const Operand &operand, unsigned dim, std::int64_t rows);

/// The largest power of two, at most 64, of rows in an aligned tile along the kernel's row dimension `row` for which
/// all that the phase streams is the same; 0: not even known for one.
std::int64_t rowsThatShare(const System &system, const Phase &phase, std::size_t row);

/// Must all rows of a padded tile read the operand at the tile's first row? So they do where it is the same for them
/// and no matrix along them.
bool takenAtFirstRow(const Equation &e, const Member &member, const Operand &operand, std::size_t row,
                     std::int64_t rows);

} // namespace polymend
