// Sizes and data on which a program and its source are interpreted: small, around the extents of tiles.
#pragma once

#include "polymend/interpret.h"
#include "polymend/schedule.h"

#include "small_arrays.h"

namespace polymend {

/// Of an array.
inline constexpr std::int64_t mostElements = 2'000'000;

/// The value of an integer expression, when it is a number at these sizes.
std::optional<std::int64_t> valueOf(const Expr &e, const Values &sizes);

/// These sizes or ones near them at which the program runs: where what it rests on does not hold, the entry runs the
/// source's own body, and a row may be shorter than what the program reads of it. Nothing where none are found.
std::optional<Values> whereGiven(const TileProgram &program, const Values &sizes);

/// Each size in turn around each extent of a tile while the others are small, and all equal; each where the
/// program runs.
std::vector<Values> sizesToRun(const TileProgram &program, const Schedule &schedule);

/// An upper bound on the number of statement instances at each size: boxes around the domains.
class Instances {
public:
  explicit Instances(const Scop &scop, const Body &body = {});
  [[nodiscard]] double at(const Values &sizes) const;
  /// Turns of the loops around them, which run although a loop within has none, or a condition lets none happen.
  [[nodiscard]] double turns(const Values &sizes) const;

private:
  using Box = std::vector<std::pair<Expr, Expr>>; // first and limit of each dimension
  std::vector<Box> boxes;
  std::vector<Box> loops; // each with those around it whose bounds are sizes alone

  [[nodiscard]] double count(const Values &sizes, bool isOuter) const;
  void addLoops(const Body &body, const Box &around);
};

/// Data for all arguments, of arrays of unknown extents for what the source touches; refused: an array would have more
/// than `most` elements. `source`: the program that is run to see what is touched.
Result<Memory> memoryFor(const TileProgram &program, const TileProgram &source, const Values &sizes,
                         std::int64_t most = mostElements);

} // namespace polymend
