// What is known of integers over sizes and loop variables: which are never negative, and which are over sizes alone.
#pragma once

#include "polymend/tile.h"

#include <set>

namespace polymend::device_room {

/// Variables that never go below zero.
class Signs {
public:
  /// Keeps account of whether the variable of `dim` can be negative.
  void note(const PointDim &dim);
  void insert(const std::string &variable) { nonNegative.insert(variable); }
  /// Is an integer expression never negative? Unknown is no.
  [[nodiscard]] bool isNonNegative(const Expr &e) const;

private:
  std::set<std::string> nonNegative;
};

/// Is it an integer of these symbols alone, that reads and calls nothing?
bool isOver(const Expr &e, const std::set<std::string> &known);

} // namespace polymend::device_room
