// Sums whose rounding comes back to them.
#pragma once

#include "polymend/deps.h"

namespace polymend {

/// Does a value that the statement computes reach it again other than as the sum that it adds to? A factorisation's
/// does: what is rounded in another way there grows from step to step, so that such sums stay as they are written.
bool feedsBack(const Scop &scop, const Dependences &dependences, int statement);

} // namespace polymend
