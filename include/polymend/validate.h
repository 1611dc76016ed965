// validate: beside the line. What the rooms promise about one function is recomputed from its source: the tile program
// is run against the source's own order on small data. It trusts nothing it can recompute. The order's structure is
// checked before there is a program, by order.h.
#pragma once

#include "polymend/account.h"
#include "polymend/tile.h"

#include <map>
#include <set>

namespace polymend {

/// How many statement instances may be run: at one assignment of sizes, and in all. Larger ones are left out.
struct Effort {
  std::int64_t instances = 20'000, total = 10'000'000;
};

/// By size: the extents of the tiles along it, as grids and loops of the program tell.
std::map<std::string, std::set<std::int64_t>> tileExtents(const TileProgram &program);

/// What is wrong with a lowered function; empty: nothing was found, or it keeps the source's order. Every element that
/// the source writes is stored exactly once, no other is, and its value agrees, at sizes around the tile extents.
std::vector<std::string> validate(const Passage &passage, const TileProgram &program, const Effort &effort = {});

/// What goes wrong where kernels with roles run a few grid points at very small sizes: an access out of bounds, a value
/// that is not the source's. Quick enough for every run; absent also where the data would be large.
std::optional<std::string> trial(const Passage &passage, const TileProgram &program);

} // namespace polymend
