// Corrections that read values as the source computes them.
#pragma once

#include "polymend/algebra.h"

namespace polymend {

/// As derive; in each state, what the source rounds is rounded, and what a maximum or minimum reduces is computed as
/// there.
Result<std::vector<Correction>> deriveAsWritten(const Candidate &candidate);

} // namespace polymend
