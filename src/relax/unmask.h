// Masks written as a choice become domains.
#pragma once

#include "polymend/relax.h"

namespace polymend {

struct Unmasked {
  System system;
  std::vector<std::string> assumptions;
};

/// Each reduction keeps only the points whose element is not always neutral (`j <= i ? s : -inf` under a maximum, its
/// exponential under a sum); what is computed for the others alone goes too. Results are the same for every input, but
/// for what the assumptions name.
Unmasked unmasked(const Scop &scop, const System &system);

} // namespace polymend
