// Contractions without a walk over expressions: the values are those of their points.
#pragma once

#include "tile/evaluate.h"

namespace polymend::tile {

/// Runs points that are a contraction of 16-bit tiles into floats, over boxes within the tiles that `env` holds; false:
/// they are something else, and nothing happened.
bool multiply(const TilePoints &points, const std::vector<TileArray> &tiles, Environment &env);

} // namespace polymend::tile
