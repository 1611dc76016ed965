// validate: beside the line. What the rooms promise about one function is recomputed from its source: the plan's
// structure, and the tile program run against the source's own order on small data. It trusts nothing it can recompute.
#pragma once

#include "polymend/account.h"
#include "polymend/tile.h"

namespace polymend {

/// How many statement instances may be run at one assignment of sizes; larger ones are left out. 0: structure only.
struct Effort {
  std::int64_t instances = 20'000;
};

/// What is wrong with a lowered function; empty: nothing was found. Structure: every value is computed before it is
/// read, a mended reduction runs with its producers and after them, at their positions. Meaning: every element that the
/// source writes is stored exactly once, no other is, and its value agrees, at sizes around the tile extents.
std::vector<std::string> validate(const Passage &passage, const TileProgram &program, const Effort &effort = {});

} // namespace polymend
