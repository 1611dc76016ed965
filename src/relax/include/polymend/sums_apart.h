// Sums over turns of a loop that nothing else waits for.
#pragma once

#include "polymend/deps.h"

namespace polymend {

/// The function with what an outermost loop adds up (or takes the largest of) in a loop of its own behind it, so that
/// its turns, each of which may hold a recurrence, wait for one another no more: loop distribution with scalar
/// expansion (Allen and Kennedy, Optimizing Compilers for Modern Architectures, sections 5.3 and 5.4). Numbers that a
/// turn computes for its sums are kept in arrays, one for each turn. Every sum is taken in the order that it had.
/// Absent: there is no such loop. `function` is what `scop` models.
std::optional<Function> withSumsApart(const Function &function, const Scop &scop, const Dependences &dependences);

} // namespace polymend
