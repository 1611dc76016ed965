// Whether what is read lies in its array.
#pragma once

#include "polymend/tile.h"

namespace polymend {

/// Where the element that is read lies in its array, as far as subscripts move along these dimensions; an absent
/// condition: it always does. `natural`: variables and arrays of numbers that are at least zero. Refused: an extent is
/// unknown.
Result<Expr> readWithin(const Expr &read, const std::vector<PointDim> &moving, const std::vector<TileArray> &arrays,
                        const std::set<std::string> &natural);

} // namespace polymend
