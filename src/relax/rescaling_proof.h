// rescaling_proof: does scaling a sum move it from one value of a running extreme to the next?
#pragma once

#include "rescaled_turn.h"

namespace polymend {

/// Is it a zero of a floating type?
bool addsNothing(const Expr &e);

/// b, over `after` alone, with b(before) * a(before, after) = b(after) over the reals, where a is of any turn behind
/// that of b, so that what changes from turn to turn is another value in each; absent: that is not shown. Where a
/// condition asks whether an extreme is infinite, nothing but zeros has been added, and there is nothing to scale.
Expr movedBy(const Expr &scale, const RescaledSum &sum, const RescaledTurn &turn);

} // namespace polymend
