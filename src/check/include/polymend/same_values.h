// same_values: beside the line. What a rewrite of tile programs promises: every bit of every element.
#pragma once

#include "polymend/account.h"
#include "polymend/tile.h"

namespace polymend {

/// Where the two leave different elements, of arguments of a few small sizes, in words; absent: nowhere. Independent
/// points and turns run in either direction.
std::optional<std::string> differenceInValues(const FunctionTrace &trace, const TileProgram &before,
                                              const TileProgram &after);

} // namespace polymend
