// Arrays whose extents the source gives, cut to what is touched at small sizes.
#pragma once

#include "polymend/model.h"
#include "polymend/tile.h"

#include <map>

namespace polymend {

using Values = std::map<std::string, std::int64_t>;
using Extents = std::map<std::string, std::vector<Expr>>; // by array

/// Extents that hold what the source touches at these sizes, and an element more in each dimension: of the large arrays
/// of constant extents whose elements are not chosen by data.
Extents extentsTouched(const Scop &scop, const TileProgram &program, const Values &sizes);

TileProgram withExtents(TileProgram program, const Extents &extents);

/// How many elements arguments have at these sizes; those of unknown extents do not count.
double elementsIn(const TileProgram &program, const Values &sizes);

} // namespace polymend
