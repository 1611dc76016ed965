// What a set says of its dimensions and parameters.
#pragma once

#include "polymend/isl.h"

namespace polymend {

/// The points without constraints on parameters alone, as far as others do not rest on these: a constraint on nothing
/// but what a quotient is may be all that bounds a dimension (i >= 0 as e >= 0, where 64 e <= i).
isl::set aboutDimensions(const isl::set &set);

/// The greatest value of a parameter, by its position, where the set has points: a whole number or infinity; NaN: it
/// has no point.
isl::val greatest(const isl::set &set, unsigned parameter);

} // namespace polymend
