// rescaled_turn: what one turn of a loop does to sums that it keeps at a running extreme.
#pragma once

#include "polymend/model.h"
#include "polymend/parse.h"

#include <set>

namespace polymend {

/// What a turn makes of one element of a sum: scale * element + added, in an assignment to it or to a sum of the turn's
/// own that is added to it.
struct RescaledSum {
  const Assign *assign = nullptr;
  std::string array;
  std::vector<Expr> subscripts;
  Expr scale, added; // absent: 1 and 0
};

/// A running extreme that takes in an element: what stands in place of the assignment once nothing else needs it on
/// the way.
struct ExtremeUpdate {
  const Assign *assign = nullptr;
  Assign plain;
  Monoid monoid = Monoid::Max;
  Expr element;
  bool isWhole = true; // the element alone, and not those of a loop in the turn
  Expr unless = {};    // where it holds the turn takes in nothing; absent: every turn does
};

/// A value that is made of a running extreme or a sum within a turn, and which assignments the text has it from.
struct TurnUse {
  const Assign *reader = nullptr;
  std::string array;
  std::set<const Assign *> writers;
};

/// An assignment to extremes of what an array has kept of them meanwhile.
struct ExtremeStore {
  const Assign *assign = nullptr;
  std::string from;
};

/// The assignments of a turn. In `scale` and `added` a running extreme is a read of `before` or `after` its array.
struct RescaledTurn {
  std::vector<ExtremeUpdate> extremes;
  std::vector<RescaledSum> sums;
  std::vector<const Assign *> others; // in order, which neither extremes nor sums of the loop enter
  std::string variable;               // of the loop
  std::set<std::string> changing;     // with the variables of loops in it, and arrays that it writes
  std::set<std::string> inner;        // arrays that hold what is made of these within a turn
  std::vector<TurnUse> uses;          // of `inner`
  std::vector<ExtremeStore> stores;   // of arrays
};

/// The element of a running extreme at the start of the turn, and at its end, of an array of that name.
std::string beforeTurn(const std::string &array);
std::string afterTurn(const std::string &array);

/// Takes a loop's body apart; absent: it does something else. `carried`: arrays of which turns have values from earlier
/// ones.
std::optional<RescaledTurn> rescaledTurn(const Loop &loop, const std::set<std::string> &carried, const Scop &scop);

} // namespace polymend
