// Other dimensions for an equation.
#pragma once

#include "polymend/relax.h"

namespace polymend {

/// The names of an equation's new dimensions, keys first, and { E[new dims] -> E[dims] }, single-valued and one to one
/// onto the equation's domain; keys come from keys alone.
struct Reindexing {
  std::vector<std::string> dims;
  unsigned keys = 0;
  isl::map back;
};

/// Writes equation `index` over other dimensions, here and where later equations read it; false, and nothing changed,
/// when isl cannot write the old dimensions as expressions.
bool reindex(System &system, std::size_t index, const Reindexing &reindexing);

/// Keys that the others determine (one turn of a loop, `if (i == j)`) are written in terms of these and go.
void dropDeterminedKeys(System &system);

/// A reduction whose loop runs shifted or backwards beside that of one whose value it waits for takes up its direction.
void alignReductions(System &system);

} // namespace polymend
