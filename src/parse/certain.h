// What runs whatever data say.
#pragma once

#include "clang.h"

#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace polymend {

/// Conditions, and whether each holds.
using Conditions = std::vector<std::pair<const clang::Expr *, bool>>;

/// What of the statement runs whatever data say, each with the conditions that it stands under, which `isKnown` before.
std::map<const clang::Stmt *, Conditions> runsUnder(const clang::Stmt &s, const clang::ASTContext &context,
                                                    const std::function<bool(const clang::Expr &)> &isKnown);

} // namespace polymend
