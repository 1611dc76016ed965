// How far a dimension of a set reaches where the dimensions before it are fixed, and which loops move.
#pragma once

#include "polymend/isl.h"
#include "polymend/parse.h"

#include <set>

namespace polymend {

/// The most values of a dimension at once, for fixed values of those before it; absent: no constant bounds them.
std::optional<std::int64_t> constantWindow(const isl::set &set, unsigned dim);

/// The variables of loops whose bounds use those of loops around them.
std::set<std::string> movedLoops(const Function &function);

} // namespace polymend
