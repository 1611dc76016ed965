// Elements of 64 bits without a sign, which are carried as numbers with one.
#pragma once

#include "polymend/expr.h"

#include <set>
#include <string>

namespace polymend {

/// Refuses a value that reads one of the arrays `wide`, whose elements may be 2^63 and more, where that changes what
/// comes of it. No subscript is so large, nor the end of a range that a loop gets to.
void fitsSigned(const Expr &value, const std::set<std::string> &wide, const SourceRange &where);

} // namespace polymend
