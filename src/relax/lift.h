// Lifting statements over storage to equations over values.
#pragma once

#include "polymend/relax.h"

namespace polymend {

/// Every value that reaches memory that outlives the function, as equations in dependence order; refuses a function
/// with a recurrence that is no reduction, a read whose source is not one affine function per piece, or a bounded rest.
/// `reorder`: sums may be as over the reals; else not even the sign of a zero changes.
Result<System> lift(const Scop &scop, const Dependences &dependences, bool reorder = true);

} // namespace polymend
