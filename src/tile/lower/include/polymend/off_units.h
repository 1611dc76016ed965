// Why sums of products of a function are not made by matrix units, in the words of its source.
#pragma once

#include "polymend/model.h"

namespace polymend {

/// What the target and the options leave to matrix units.
struct UnitsAsked {
  bool present = false; // the target's kernels may use them
  bool reorder = true;  // --fp=strict: false
  bool rounds = false;  // --fp=approx: wider factors are rounded
};

/// Why no kernel on matrix units was made, where a sum of products of narrow types, or one of floats in three loops,
/// stands in the source; absent: there is none. `order`: why the loops keep the source's order, or empty.
std::optional<std::string> whyOffUnits(const Scop &scop, const UnitsAsked &asked, const std::string &order);

} // namespace polymend
