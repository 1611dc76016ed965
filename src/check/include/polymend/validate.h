// validate: beside the line. What the rooms promise about one function is recomputed from its source: the tile program
// is run against the source's own order on small data. It trusts nothing it can recompute. The order's structure is
// checked before there is a program, by order.h.
#pragma once

#include "polymend/account.h"
#include "polymend/device.h"
#include "polymend/tile.h"

#include <map>
#include <set>

namespace polymend {

/// How many statement instances may be run: at one assignment of sizes, and in all. Larger ones are left out. Kernels
/// with roles, which run over whole tiles, do at so many sizes whatever that costs; exceptional elements are tried
/// where there are at most so many instances. Where an array has more elements, sizes are left out unless there are no
/// others.
struct Effort {
  std::int64_t instances = 20'000, total = 10'000'000;
  int withRoles = 2;
  std::int64_t exceptional = 5'000, elements = 2'000'000;
};

/// By size: the extents of the tiles along it, as grids and loops of the program tell.
std::map<std::string, std::set<std::int64_t>> tileExtents(const TileProgram &program);

/// What every transformation can afford.
inline constexpr Effort quick{40'000, 10'000, 0, 40, 100'000};

/// What came of running a lowered function beside its source.
struct Validation {
  std::vector<std::string> faults;  // empty: nothing was found
  std::optional<std::string> unrun; // why no statement of the source was run; absent: some were
};

/// Every element that the source writes is stored exactly once, no other is, and its value agrees, at sizes around the
/// tile extents. Where a function keeps the source's order, its parallel loops run backwards beside themselves.
Validation validate(const FunctionTrace &trace, const TileProgram &program, const Effort &effort = {});

/// What is wrong with a mapped program besides what it computes: it is ill-formed, or its threads or vectors touch what
/// others write, at a few small sizes at which `source` does not run for long.
std::vector<std::string> mappingFaults(const DeviceProgram &program, const Scop &source);

/// As validate, where kernels with roles run a few grid points at very small sizes. Quick enough for every run.
Validation trial(const FunctionTrace &trace, const TileProgram &program);

} // namespace polymend
