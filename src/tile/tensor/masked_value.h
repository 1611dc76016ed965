// What is known of a value at masked points.
#pragma once

#include "polymend/expr.h"

#include <map>
#include <set>

namespace polymend {

enum class MaskedValue { NegativeInfinity, Zero, Finite, Unknown };

/// What is known of matrices; rows of values are finite.
struct MaskedFacts {
  std::map<std::string, MaskedValue> matrices;
  bool takesFinite = false;          // other matrices count as finite
  std::set<std::string> finite = {}; // those that did
};

MaskedValue maskedValue(const Expr &e, MaskedFacts &facts);

} // namespace polymend
