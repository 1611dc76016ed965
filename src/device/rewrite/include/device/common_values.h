// Rewrite: what the assignments of a point compute more than once is computed once.
// Condition: each assignment is free of what the others store; the value is a function's or a quotient, of 32 or 64
// bits, and the point computes it in any case, or where the condition holds that all assignments have: what only one
// side of a choice computes stays there.
// Bound: none; the same operation on the same operands gives the same bits.
#pragma once

#include "device/scope.h"

namespace polymend::device_room {

/// Assignments in whose values names stand for what is computed before them, in this order.
struct Commoned {
  Expr guard; // the one condition that all of them have, which the computed values are under as well; absent: none
  std::vector<std::pair<std::string, Expr>> values;
  std::vector<TileAssign> body;
};

/// Is a value computed more than once?
bool hasCommon(const std::vector<TileAssign> &body);
/// Such values with names.
Commoned withCommon(const std::vector<TileAssign> &body, Scope &scope);

} // namespace polymend::device_room
