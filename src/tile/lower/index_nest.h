// A check of an index array as a loop nest of its own.
#pragma once

#include "polymend/model.h"
#include "polymend/tile.h"

namespace polymend {

/// The check at each point of `points` (over `iterators`), in loops over those iterators alone that it needs; one check
/// for each convex part. Bounds that data say are read. Refused where a loop has no bounds.
Result<std::vector<IndexCheck>> overPoints(const IndexCheck &check, const isl::set &points,
                                           const std::vector<std::string> &iterators, const Scop &scop);
/// The same without innermost loops in which only the ends of the value count.
std::vector<IndexCheck> atEnds(const IndexCheck &check);
/// How deep reads stand within each other in what the check evaluates.
int depthOf(const IndexCheck &check);
bool equal(const IndexCheck &a, const IndexCheck &b);

} // namespace polymend
