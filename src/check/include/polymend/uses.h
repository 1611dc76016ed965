// uses: does each value that the source computes once stay one number wherever it is read?
#pragma once

#include "polymend/relax.h"

namespace polymend {

/// What is wrong with the states of corrections: a rounding of the source that none of them makes, or what a maximum or
/// minimum reduces in other words than there; empty: nothing.
std::vector<std::string> misreadings(const Relaxed &relaxed);

} // namespace polymend
