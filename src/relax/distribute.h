// Factors that all elements of a sum share.
#pragma once

#include "polymend/relax.h"

namespace polymend {

/// A system, and what it takes for granted.
struct Distributed {
  System system;
  std::vector<std::string> assumptions;
};

/// sum over c of f g(c) = f times sum over c of g(c), for sums of products of 16-bit numbers: what does not depend on c
/// becomes a map of the sum, which readers read in its place. Equal over the reals, proved for each; factors are
/// assumed to be finite.
Distributed distributed(const Scop &scop, const System &system);

} // namespace polymend
