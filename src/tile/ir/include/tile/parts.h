// Sums over rows that lanes hold parts of.
#pragma once

#include "polymend/tile.h"

#include <set>

namespace polymend {

/// Does an assignment keep a sum in parts? Adding to it, scaling it, or starting it at zero.
bool keepsParts(const TileAssign &assign);

/// The rows of a kernel with roles that add up elements of matrices and that nothing reads or sets otherwise, in a loop
/// or before the last addition to them: each lane may keep its part.
std::set<std::string> sumsInParts(const Kernel &kernel);

/// The kernel with the parts of these sums combined before the first region that needs a whole.
Kernel combineParts(const Kernel &kernel, const std::set<std::string> &sums);

/// What a region reads of sums that it does not keep in parts.
std::set<std::string> wholesRead(const TilePoints &points);

} // namespace polymend
