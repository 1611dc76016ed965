// Sums that run over turns of a loop, each turn's own first.
#pragma once

#include "polymend/deps.h"

namespace polymend {

/// The function with what an outermost loop adds up into a number (or multiplies, or takes the largest of) added up for
/// each turn by itself, in an element of its own, and these behind the loop: its turns wait for one another for nothing
/// else then, even where the sum reads what a turn changes (privatisation of a reduction; Allen and Kennedy, Optimizing
/// Compilers for Modern Architectures, section 6.2). Sums are taken in another order. Absent: there is no such loop.
/// `function` is what `scop` models.
std::optional<Function> withPartialSums(const Function &function, const Scop &scop, const Dependences &dependences);

} // namespace polymend
