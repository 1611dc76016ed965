// affine: integer expressions and conditions of the source -> isl, over the loop variables in scope.
#pragma once

#include "polymend/expr.h"
#include "polymend/isl.h"
#include "polymend/support.h"

namespace polymend {

/// The loop variables in scope, outermost first, and the iterations that reach this point: { [iterators] }, no tuple.
struct Frame {
  std::vector<std::string> iterators;
  isl::set domain;
};

/// The value of `e` as a function on the frame's space; refuses at the first part that is not affine.
Result<isl::pw_aff> affine(const Expr &e, const Frame &frame);

/// The points of the frame's space at which `condition` is true; refuses when it is not affine.
Result<isl::set> holds(const Expr &condition, const Frame &frame);

/// A superset of the points at which `condition` can have the value `truth`; parts that are not affine can have both.
isl::set possible(const Expr &condition, bool truth, const Frame &frame);

/// The points with a < b (`strict`) or a <= b; minima and maxima become intersections and unions.
Result<isl::set> less(const Expr &a, const Expr &b, bool strict, const Frame &frame);

/// The points at which a loop from `first` with `step` can stand: variable = first + k * step.
Result<isl::set> onStride(const Expr &variable, const Expr &first, std::int64_t step, const Frame &frame);

} // namespace polymend
