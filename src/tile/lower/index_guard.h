// What entries must ask of index arrays before they trust them.
#pragma once

#include "polymend/model.h"
#include "polymend/tile.h"

namespace polymend {

/// Every element that is used as a subscript or as the end of a range, where the source uses it: it leads to an element
/// of what it indexes, as far as that has a known extent, and ranges end where they begin or later.
IndexGuard indexGuard(const Function &function, const Scop &scop);

} // namespace polymend
