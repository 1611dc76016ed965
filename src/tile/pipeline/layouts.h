// Layouts of the tiles of kernels with roles.
#pragma once

#include "tile/passes.h"

#include "polymend/atoms.h"

#include <set>

namespace polymend {

/// Gives every channel and fragment its layout, where products are made of `atom` by warps of which so many of a group
/// are `beside` each other; lets lanes keep parts of sums where
/// that does, and moves a product's left factor, where no order of its terms makes it one as it lies, to a matrix that
/// lies as the atom wants it. `names` are taken.
Kernel withLayouts(const Kernel &kernel, const MatrixAtom &atom, std::int64_t warpsN,
                   const std::set<std::string> &names);

/// As withLayouts for the atom of the units, then withPartsCombined.
Kernel layOut(Kernel kernel, const RoleContext &context);

/// The kernel with the parts of sums that lanes keep combined before the first region that needs a whole.
Kernel withPartsCombined(const Kernel &kernel);

} // namespace polymend
