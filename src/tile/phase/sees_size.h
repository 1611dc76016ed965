// Who would see what a sum near zero is.
#pragma once

#include "polymend/relax.h"

namespace polymend {

/// May another value tell how far from zero, or on which side of it, the equation's value is? It is divided by, or a
/// logarithm, root or power is taken of it, and no number of its own size is added before.
bool seesSize(const System &system, int equation);

} // namespace polymend
