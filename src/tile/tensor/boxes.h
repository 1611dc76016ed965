// Rows in several dimensions, each of which sees a window of keys along each of them, come in tiles and chunks that are
// boxes: 128 rows of a line see windows that have little in common across it.
#pragma once

#include "products.h"

namespace polymend {

/// Windows along a row: a row sees keys first(row) <= key <= last(row) of it, neither of which falls from a row to the
/// next. A key is where the loop stands, counted from where the row begins.
struct SlidingWindow {
  std::size_t row = 0;                       // of the plan
  Expr first, last;                          // over `rowOfWindow` and sizes
  Expr count;                                // of rows, which are 0, 1, ..., over sizes
  std::map<std::string, std::size_t> at;     // as in BoxSide
  std::map<std::int64_t, std::int64_t> seen; // how many keys so many neighbours see together, at most
  Expr sizes;                                // over sizes, where a row sees anything; absent: for all
};

/// The windows of a phase, one for each of its loops, the outermost in memory first; none: it has others, or the points
/// of its loops are not all that lie in them.
std::vector<SlidingWindow> slidingWindows(const System &system, const KernelPlan &plan, const Phase &phase,
                                          const Products &products);

/// What a chunk costs besides, in elements of a row (H200).
constexpr double costOfChunk = 24;

/// The boxes of so many rows, and of chunks of `least` to `most` keys, that visit the fewest elements for a row;
/// absent: there are none.
std::optional<Boxes> boxesFor(const std::vector<SlidingWindow> &windows, std::int64_t rows, std::int64_t least,
                              std::int64_t most);

} // namespace polymend
