// Rounds a double to the values of an element type, to nearest even, as a store to an array of that type does.
#pragma once

#include "polymend/expr.h"

namespace polymend::tile {

double roundTo(Type type, double value);

} // namespace polymend::tile
