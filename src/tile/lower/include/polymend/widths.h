// Sizes that are worth a version of the program for some of their values.
#pragma once

#include "polymend/parse.h"
#include "polymend/tile.h"

#include <array>

namespace polymend {

/// Sizes that say how long the rows of matrices are that matrix units could multiply: where such a size is known the
/// rows of results stay in registers.
std::vector<std::string> widthsOf(const Function &function, const TileProgram &program);

/// Values that such sizes usually have.
constexpr std::array<std::int64_t, 3> usualWidths{64, 128, 256};

} // namespace polymend
