// Rows that share elements of an array where their windows skip elements.
#pragma once

#include "polymend/relax.h"

namespace polymend {

/// How far a subscript { E[dims] -> [s] } moves with each step of a dimension, the same in all its pieces; 0: not so.
std::int64_t stepAlong(const isl::map &subscript, unsigned dim);

/// Where a sum of products reads an array along a loop by steps of D > 1 from a place that moves with a row x by one,
/// the row becomes two, a residue and a row of these: x = D p + g with 0 <= g < D, in all equations that meet in it or
/// in none. Rows p of one residue then see the same elements one after the other. False: nothing is changed.
bool splitResidues(System &system);

} // namespace polymend
