// time tiling: turns of a loop over time in one launch. A turn is a few sweeps over arrays, each of which reads the
// points around it at constant distances (a stencil). A tile of points and what lies around it comes to memory of its
// own, several turns are made there, of fewer points each, and what is right after them goes to another array, from
// which the next launch reads (overlapped tiles: Krishnamoorthy et al., PLDI 2007). The last turns, one at least, run
// as they did: they leave in every array what the source leaves.
#pragma once

#include "polymend/tile.h"

namespace polymend {

/// How large tiles of time are.
struct TimeTiling {
  std::int64_t bytes = 0; // of a tile's arrays together, at most
  bool tiny = false;      // for trial runs: a turn, tiles of a few points, whose memory begins without values
};

/// The program with tiles of time wherever that is less to read and write; absent: it is so nowhere.
std::optional<TileProgram> withTimeTiles(const TileProgram &program, const TimeTiling &tiling);

} // namespace polymend
