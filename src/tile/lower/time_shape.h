// How large tiles of time are, and what lies around them.
#pragma once

#include "stencil.h"

#include "polymend/time_tiles.h"

namespace polymend {

/// By how many elements a region is larger than a tile, at its low and its high end.
struct Reach {
  std::int64_t low = 0, high = 0;
};
using Reaches = std::vector<Reach>; // by axis

/// What sweeps of a turn compute for a tile of results, and what they read for that.
struct TurnReach {
  std::vector<Reaches> sweeps;
  Reaches all;
};

TurnReach reachOf(const Stencil &stencil);

/// How many turns a launch makes, and for how many elements along each axis.
struct TileShape {
  std::int64_t turns = 1;
  std::vector<std::int64_t> results, extents; // extents: with what lies around
  std::int64_t most = 0; // elements of all tiles beyond which turns are faster one by one; 0: at no number
};

/// Extents of tiles that threads share evenly, by the number of axes, and how many turns to make at most.
std::optional<TileShape> chosenShape(const Stencil &stencil, const Reaches &reach, const TimeTiling &tiling);

} // namespace polymend
