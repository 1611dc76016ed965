// verify: what makes a tile program ill-formed.
#pragma once

#include "polymend/tile.h"

namespace polymend {

/// Scope and shape errors that no printer could survive: unknown names, wrong subscript counts, symbolic Thread
/// extents, duplicate names. Empty: fine.
std::vector<std::string> verify(const TileProgram &program);

} // namespace polymend
