// Which elements of an argument the statements touch, in a form that the entry can compute from sizes and, where
// subscripts are data, from the arrays that these come from.
#pragma once

#include "polymend/model.h"
#include "polymend/tile.h"

namespace polymend {

/// What the statements touch of `array`, whose extents, as far as the program knows them, are those of `argument`.
TouchedElements elementsTouched(const Function &function, const Scop &scop, const Array &array,
                                const TileArray &argument);

/// Can a statement touch an element before the first? Unknown subscripts are taken to stay within the array.
bool reachesBelow(const Scop &scop, const Array &array);

} // namespace polymend
