// isl -> Expr: quasi-affine functions, bounds and conditions as integer expressions over named dimensions and
// parameters. The way back from sets to text, used wherever a set becomes a loop, a guard or a subscript.
#pragma once

#include "polymend/expr.h"
#include "polymend/isl.h"

#include <map>
#include <optional>

namespace polymend {

/// How to write the set dimensions of a set (or the domain dimensions of a map), in order.
using DimNames = std::vector<Expr>;
DimNames symbolsOf(const std::vector<std::string> &names);

/// The value of each output dimension of a single-valued map, as functions of its domain; several pieces become
/// Select. Absent when the map is not single-valued or has a piece isl cannot write.
std::optional<std::vector<Expr>> toExprs(const isl::map &map, const DimNames &names);
/// The condition that a point lies in the set: a disjunction of conjunctions. `{}` gives false, the universe true.
Expr toCondition(const isl::set &set, const DimNames &names);

/// Bounds of one dimension: max(lower) <= x < min(upper), and conditions that must hold besides (strides).
struct DimBounds {
  std::vector<Expr> lower, upper;
};
/// Bounds of every dimension of a convex set in order, each over the parameters and the dimensions before it, and what
/// remains to be tested at the innermost point. Every point of the set is visited, and `rest` excludes all others.
struct ScanBounds {
  std::vector<DimBounds> dims;
  Expr rest; // absent: nothing
};
ScanBounds scan(const isl::basic_set &set, const DimNames &names, const isl::set &known);
/// The convex, pairwise disjoint parts of a set.
std::vector<isl::basic_set> parts(const isl::set &set);
/// Max of lower bounds, Min of upper bounds, simplified.
Expr lowest(const DimBounds &bounds);
Expr highest(const DimBounds &bounds);

} // namespace polymend
