// Where matrices change how they lie.
#pragma once

#include "polymend/tile.h"

namespace polymend {

/// A matrix that a region takes, as it is, from another that lies differently, or a sum whose parts are combined.
struct Converted {
  std::string from, to;
  Conversion how = Conversion::None;
};
/// All in the kernel's text, in order; none where tiles have no layout.
std::vector<Converted> conversions(const Kernel &kernel);

/// The matrix that a region of one assignment takes, element by element, from another; null: it does something else.
const TileArray *movedBy(const TilePoints &points, const std::vector<TileArray> &tiles);

} // namespace polymend
