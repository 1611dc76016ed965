// How far a dimension of a set reaches where the dimensions before it are fixed.
#pragma once

#include "polymend/isl.h"

namespace polymend {

/// The most values of a dimension at once, for fixed values of those before it; absent: no constant bounds them.
std::optional<std::int64_t> constantWindow(const isl::set &set, unsigned dim);

} // namespace polymend
