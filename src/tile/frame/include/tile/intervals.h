// Sets whose points along a dimension are one interval for each point of the others, wherever that begins and ends.
#pragma once

#include "polymend/affine.h"

#include <optional>

namespace polymend {

/// The first and the last point of a dimension, as expressions over parameters and the other dimensions.
struct Interval1D {
  Expr first, last;
};

/// Both ends of dimension `dim` of a set over `names`, if its points along it are all that lie between them, for all
/// points of the others that `around` has; absent: they are not, or `around` has others, where there are none.
std::optional<Interval1D> intervalAlong(const isl::set &set, unsigned dim, const isl::set &around,
                                        const DimNames &names);

} // namespace polymend
