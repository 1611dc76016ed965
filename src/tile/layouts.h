// Layouts of the tiles of kernels with roles.
#pragma once

#include "polymend/atoms.h"
#include "polymend/tile.h"

#include <set>

namespace polymend {

/// Gives every channel and fragment its layout, where products are made of `atom` by warps of which so many of a group
/// are `beside` each other; lets lanes keep parts of sums where
/// that does, and moves a product's left factor, where no order of its terms makes it one as it lies, to a matrix that
/// lies as the atom wants it. `names` are taken.
Kernel withLayouts(const Kernel &kernel, const MatrixAtom &atom, std::int64_t beside,
                   const std::set<std::string> &names);

/// A matrix that a region takes, as it is, from another that lies differently, or a sum whose parts are combined.
struct Converted {
  std::string from, to;
  Conversion how = Conversion::None;
};
/// All in the kernel's text, in order; none where tiles have no layout.
std::vector<Converted> conversions(const Kernel &kernel);

/// The matrix that a region of one assignment takes, element by element, from another; null: it does something else.
const TileArray *movedBy(const TilePoints &points, const std::vector<TileArray> &tiles);

/// What is wrong with the layouts of a kernel that has no other fault, recomputed from its products.
std::vector<std::string> layoutFaults(const Kernel &kernel);

} // namespace polymend
