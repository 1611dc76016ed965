// Other dimensions for an equation.
#pragma once

#include "polymend/relax.h"

namespace polymend {

/// The names of an equation's new dimensions, keys first, and { E[new dims] -> E[dims] }, single-valued and one to one
/// onto the equation's domain; keys come from keys alone. A reduction has keys where it has no point: `backKeys`,
/// { E[new keys] -> E[keys] }, is onto those too; absent: `back` says it.
struct Reindexing {
  std::vector<std::string> dims;
  unsigned keys = 0;
  isl::map back;
  isl::map backKeys = {};
};

/// Writes equation `index` over other dimensions, here and where later equations read it; false, and nothing changed,
/// when isl cannot write the old dimensions as expressions.
bool reindex(System &system, std::size_t index, const Reindexing &reindexing);

/// Dimensions that the others determine (one turn of a loop, `if (i == j)`, the loop over blocks around a loop over the
/// points of one) are written in terms of these and go; those of reductions only where sums may be reordered.
void dropDetermined(System &system, bool reorder);

/// Do the others determine dimension `k` of the equation?
bool isDetermined(const Equation &e, unsigned k);

/// A reduction whose loop runs shifted or backwards beside that of one whose value it waits for takes up its direction.
void alignReductions(System &system);

} // namespace polymend
