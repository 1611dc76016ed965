// Blocks of nodes: joining them, and looking at the nodes and regions among them.
#pragma once

#include "polymend/tile.h"

namespace polymend {

inline void append(TileBlock &block, const TileBlock &more) { block.insert(block.end(), more.begin(), more.end()); }

/// The region that a node is, or null.
inline const TilePoints *regionOf(const TileNode &node) {
  const auto *points = std::get_if<std::shared_ptr<const TilePoints>>(&node);
  return points ? points->get() : nullptr;
}

/// Calls f on every node of the block that is no loop or branch, in order.
template <class F> void eachLeaf(const TileBlock &block, const F &f) {
  for (const TileNode &node : block) {
    if (const auto *loop = std::get_if<std::shared_ptr<const TileLoop>>(&node)) {
      if (*loop) eachLeaf((*loop)->body, f);
    } else if (const auto *branch = std::get_if<std::shared_ptr<const TileBranch>>(&node)) {
      if (!*branch) continue;
      eachLeaf((*branch)->then, f);
      eachLeaf((*branch)->otherwise, f);
    } else {
      f(node);
    }
  }
}

} // namespace polymend
