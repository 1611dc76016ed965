// Elements of 64 bits without a sign, which are carried as numbers with one.
#pragma once

#include "polymend/expr.h"

#include <map>
#include <set>
#include <string>

namespace polymend {

/// Does the value read one of the arrays `wide`, or call such a function?
bool mayBeWide(const Expr &value, const std::set<std::string> &wide);

/// Refuses a value that reads one of the arrays `wide`, whose elements may be 2^63 and more, or calls such a function,
/// where that changes what comes of it. No subscript is so large, nor the end of a range that a loop gets to.
/// `unread`: why a function of its own sets some of them, which is told instead.
void fitsSigned(const Expr &value, const std::set<std::string> &wide, const std::map<std::string, Refusal> &unread,
                const SourceRange &where);

} // namespace polymend
