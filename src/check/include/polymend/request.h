// What is to be run of a file, from what was done to its functions.
#pragma once

#include "polymend/account.h"
#include "polymend/check.h"
#include "polymend/tile.h"

namespace polymend {

/// What is to be run of one function, and what its result rests on.
CheckedFunction checkedOf(const FunctionTrace &trace, const TileProgram &program);

/// What is wrong with the sizes that were asked for; absent: nothing.
std::optional<std::string> sizesRefused(const std::vector<Sizes> &asked, const std::vector<CheckedFunction> &functions);

} // namespace polymend
