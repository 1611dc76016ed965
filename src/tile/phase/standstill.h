// While a running extreme stands at its start value: does every point leave a state that waits for it as it is?
#pragma once

#include "polymend/classes.h"

#include <vector>

namespace polymend {

/// A maximum or minimum that has not moved from `value`, and what it takes in at a point.
struct StandingExtreme {
  Expr element;
  Monoid extreme = Monoid::Max;
  double value = 0;
};

/// What is taken in at the same point by the components of a state about a pivot, all by `carry`.
struct Taken {
  std::vector<Expr> elements;
  Monoid carry = Monoid::Sum;
  std::vector<Expr> pivots;          // reads that hold the stand-in
  Classes standIn = classes::Finite; // what it can be
};

/// Is what is taken in, wherever the extreme keeps standing, either nothing or no number? false: it may be one.
bool standsStill(const StandingExtreme &standing, const Taken &taken);

} // namespace polymend
