// Is what a reduction takes in on one side of a condition always neutral?
#pragma once

#include "polymend/relax.h"

namespace polymend {

struct Neutrality {
  bool holds = false;
  std::set<std::string> finite; // arrays that must hold finite numbers where they are left out
};

/// Reduction `index` of the system would lose the points `cut`, where its element is `lost`, and has the element `kept`
/// on the points `rest`. Does every row come to the same value?
Neutrality neutrality(const System &system, int index, const Expr &lost, const Expr &kept, const isl::set &rest,
                      const isl::set &cut);

} // namespace polymend
