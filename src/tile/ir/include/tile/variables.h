// The names of integer variables of a kernel.
#pragma once

#include "polymend/tile.h"

#include <set>

namespace polymend {

/// The variables of the grid, of loops and of regions.
std::set<std::string> variablesOf(const Kernel &kernel);

} // namespace polymend
