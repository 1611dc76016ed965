// Gathers from computed arrays.
#pragma once

#include "polymend/relax.h"

namespace polymend {

/// A reduction that picks the element a gather reads: over the dimensions of `reader` and the keys of `from` that are
/// free, the sum of "is this the element? its value : 0". `values` is { reader[dims] -> from[keys] }, what may be read;
/// `elements` the subscripts of each key's element; `read` the gather. `number` makes its names
/// unique. Where sums may not be reordered, 0 is -0, which leaves every element as it is.
Equation captureOf(const Expr &read, const Equation &reader, const Equation &from, int fromIndex,
                   const isl::map &values, const std::vector<Expr> &elements, unsigned number, bool reorder);

} // namespace polymend
