// Blocks of nodes: joining them, and looking at the regions among them.
#pragma once

#include "polymend/tile.h"

namespace polymend {

inline void append(TileBlock &block, const TileBlock &more) { block.insert(block.end(), more.begin(), more.end()); }

/// The region that a node is, or null.
inline const TilePoints *regionOf(const TileNode &node) {
  const auto *points = std::get_if<std::shared_ptr<const TilePoints>>(&node);
  return points ? points->get() : nullptr;
}

} // namespace polymend
