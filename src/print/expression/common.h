// Values that the assignments of a point compute more than once.
#pragma once

#include "print/expression.h"

namespace polymend::print_room {

/// Assignments in whose values names stand for what is computed before them, in this order.
struct Commoned {
  std::vector<std::pair<std::string, Expr>> values;
  std::vector<TileAssign> body;
};

/// Does a function's value or a quotient occur more than once, where each assignment is free of what the others store?
/// What only one side of a choice computes does not count: it stays there.
bool hasCommon(const std::vector<TileAssign> &body);
/// Such values with names.
Commoned withCommon(const std::vector<TileAssign> &body, Context &context);

} // namespace polymend::print_room
