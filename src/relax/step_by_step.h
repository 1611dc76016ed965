// Reductions whose every step is the source's, for results that are equal bit by bit.
#pragma once

#include "polymend/deps.h"

namespace polymend {

/// The dependences with elements of reductions such that each step, accumulator (+) element with the accumulator on the
/// left, gives the source's bits, NaN payloads apart; refused where a statement has no such element.
Result<Dependences> stepByStep(const Scop &scop, const Dependences &dependences);

/// Does every step of a maximum or minimum by comparison leave the accumulator as it is where the element is NaN?
bool leavesNaNOut(const Scop &scop, const Reduction &reduction);

} // namespace polymend
