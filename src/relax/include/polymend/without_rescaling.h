// Sums that the source keeps at a running extreme, as it goes.
#pragma once

#include "polymend/deps.h"

namespace polymend {

/// A function whose sums are taken at last, and what that rests on, which the source does not say.
struct Unrescaled {
  Function function;
  std::vector<std::string> assumptions;
};

/// The function with loops that hold x = x * a(m, m') + b(m') beside m' = max(m, e), where b(m) * a(m, m') = b(m') over
/// the reals, as two: m is taken first, then x = x + b(m) with what m is at last. It is the inverse of mending
/// (Milakov and Gimelshein, Online normalizer calculation, arXiv 1805.02867, section 3), proved by the same algebra;
/// x is 0 before the loop. Values that a turn computes for both are computed twice, and are one value to equations.
/// Absent: there is no such loop. `function` is what `scop` models.
std::optional<Unrescaled> withoutRescaling(const Function &function, const Scop &scop, const Dependences &dependences);

} // namespace polymend
