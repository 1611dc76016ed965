// Loops over a rectangle as one loop.
#pragma once

#include "polymend/relax.h"

namespace polymend {

/// Two neighbouring dimensions that sums of products run through together, all of whose reads and stores in memory take
/// consecutive elements, become one, in every equation whose values meet theirs: x and y of 0 <= y < c are j = c x + y,
/// conditions on them are on floor(j / c) and j mod c. Two dimensions of an array become one where its elements need
/// that: these are returned, in the order in which they were joined.
std::vector<Joined> coalesce(const Scop &scop, System &system);

} // namespace polymend
