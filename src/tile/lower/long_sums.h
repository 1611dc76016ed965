// Products whose inner sum is too long for a tile, in a loop that takes in their columns.
#pragma once

#include "polymend/schedule.h"

namespace polymend {

/// A plan whose first phase computes a product at each point of its loop, as two: the product, whose columns are rows
/// of the grid as its rows are and whose inner sum is the loop, and what is taken in of one tile of columns.
struct LongSum {
  KernelPlan product, rest;
  Member inner; // the product in the plan
};

/// Absent: no sum of the plan is of this kind, or its states cannot be made in parts.
std::optional<LongSum> longSum(const KernelPlan &plan, const System &system);

} // namespace polymend
