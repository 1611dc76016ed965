// Where a role stands in its program: a stack of the blocks that it is inside of, so that it can wait anywhere.
#pragma once

#include "tile/evaluate.h"

namespace polymend::tile {

class Walk {
public:
  /// Stands before the first node of `block`, which must outlive the walk.
  void start(const TileBlock &block) { frames = {Frame{&block}}; }
  /// The node to do next, never a loop or branch: those are entered by their bounds in `env`, where loop variables
  /// live. Null at the end of the block, or after a fault.
  const TileNode *node(Environment &env);
  /// Goes past the node last returned.
  void pass() { ++frames.back().next; }

private:
  struct Frame {
    const TileBlock *block = nullptr;
    std::size_t next = 0;
    const TileLoop *loop = nullptr; // absent: the block runs once
    std::int64_t limit = 0;
  };
  void enter(const TileLoop &loop, Environment &env);
  void leave(Environment &env);

  std::vector<Frame> frames;
};

} // namespace polymend::tile
